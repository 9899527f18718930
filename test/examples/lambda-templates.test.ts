// time-limit: 300
// The templates of the example for AWS Lambda: CDK synthesises a stack, and the SAM template has the same parts.
// full-run: slow
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { CfnInclude } from 'aws-cdk-lib/cloudformation-include';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MessagingStack } from '../../examples/lambda/stack.ts';
import { root } from '../support/bundle.ts';

const test = suite('the templates for AWS Lambda');

test('CDK creates a function with a URL, queue, dead letters, schedule and migrations', () => {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-templates-'));
  const bundle = join(folder, 'bundle');
  mkdirSync(bundle);
  try {
    writeFileSync(join(bundle, 'function.mjs'), 'export const handler = async () => undefined;\n');
    const app = new App({ outdir: join(folder, 'out') });
    const environment = { DATABASE_URL: 'postgres://proxy', POSTRIDER_KEY: 'key', POSTRIDER_URL: 'https://a.example' };
    const stack = new MessagingStack(app, 'Messaging', { bundle, environment });
    const assembly = app.synth();
    assert.is(assembly.stacks.length, 1);
    const template = Template.fromStack(stack);
    template.hasResourceProperties('AWS::Lambda::Function', {
      Handler: 'function.handler',
      Timeout: 30,
      Environment: { Variables: Match.objectLike({ ...environment, NODE_ENV: 'production' }) },
    });
    template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
    template.hasResourceProperties('AWS::SQS::Queue', {
      VisibilityTimeout: 180,
      RedrivePolicy: Match.objectLike({ maxReceiveCount: 5 }),
    });
    template.hasResourceProperties('AWS::Events::Rule', { ScheduleExpression: 'rate(1 minute)' });
    template.hasResourceProperties('AWS::Lambda::Url', { AuthType: 'NONE' });
    template.resourceCountIs('Custom::Trigger', 1);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('if a VPC is named, CDK puts the function and its migrations into it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-templates-'));
  try {
    writeFileSync(join(folder, 'function.cjs'), 'exports.handler = async () => undefined;\n');
    const env = { account: '123456789012', region: 'eu-west-1' };
    // Instead of looking one up, CDK returns an invented VPC with subnets.
    const stack = new MessagingStack(new App(), 'Messaging', { bundle: folder, environment: {}, vpcId: 'vpc-1', env });
    const template = Template.fromStack(stack);
    const VpcConfig = { SubnetIds: Match.anyValue(), SecurityGroupIds: [Match.anyValue()] };
    for (const Handler of ['function.handler', 'function.migrate'])
      template.hasResourceProperties('AWS::Lambda::Function', { Handler, VpcConfig });
    template.resourceCountIs('AWS::EC2::SecurityGroup', 1);
    template.hasOutput('SecurityGroup', {});
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('both templates give the function every variable of the mail server', () => {
  const names = ['SMTP_HOST', 'SMTP_PORT', 'SMTP_USER', 'SMTP_PASSWORD'];
  const app = readFileSync(join(root, 'examples/lambda/app.ts'), 'utf8');
  const environment = /environment: \{([^}]*)\}/.exec(app)?.[1] ?? '';
  const sam = readFileSync(join(root, 'examples/lambda/template.yaml'), 'utf8');
  for (const name of names) {
    assert.ok(environment.includes(name), name);
    assert.match(sam, new RegExp(`^ +${name}: !Ref Smtp`, 'm'));
  }
});

test('the SAM template has the same parts', () => {
  const stack = new Stack(new App(), 'Sam');
  new CfnInclude(stack, 'Template', { templateFile: join(root, 'examples/lambda/template.yaml') });
  const template = Template.fromStack(stack);
  template.hasResourceProperties('AWS::Serverless::Function', {
    Handler: 'function.handler',
    Timeout: 30,
    Environment: { Variables: Match.objectLike({ POSTRIDER_URL: { Ref: 'PostriderUrl' } }) },
    VpcConfig: {
      'Fn::If': [
        'InVpc',
        { SubnetIds: { Ref: 'SubnetIds' }, SecurityGroupIds: { Ref: 'SecurityGroupIds' } },
        { Ref: 'AWS::NoValue' },
      ],
    },
    FunctionUrlConfig: { AuthType: 'NONE' },
    Events: {
      Queue: { Type: 'SQS', Properties: { BatchSize: 10, FunctionResponseTypes: ['ReportBatchItemFailures'] } },
      EveryMinute: { Type: 'Schedule', Properties: { Schedule: 'rate(1 minute)' } },
    },
  });
  // AWS recommends six times the function's time limit.
  template.hasResourceProperties('AWS::SQS::Queue', {
    VisibilityTimeout: 180,
    RedrivePolicy: Match.objectLike({ maxReceiveCount: 5 }),
  });
});

test.run();
