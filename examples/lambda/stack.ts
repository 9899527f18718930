// The function with AWS CDK: build the bundle, then `npx cdk deploy --app "npx tsx examples/lambda/app.ts"`. The
// migrations run in each deployment, before the new function gets its first event.
import { CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { SecurityGroup, SubnetType, Vpc } from 'aws-cdk-lib/aws-ec2';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Architecture, Code, FunctionUrlAuthType, Function as LambdaCode, Runtime } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { InvocationType, Trigger } from 'aws-cdk-lib/triggers';
import type { Construct } from 'constructs';

/** The options of the stack. */
export interface MessagingStackProps extends StackProps {
  /** The folder that build.ts wrote. */
  readonly bundle: string;
  /** The environment of the function: DATABASE_URL, POSTRIDER_KEY, POSTRIDER_URL, SMTP_HOST, SMTP_PORT, SMTP_USER, SMTP_PASSWORD, … */
  readonly environment: Readonly<Record<string, string>>;
  /** The VPC of the database. Needs `env` with account and region. (Default: no VPC) */
  readonly vpcId?: string | undefined;
}

/** A function with its URL, its queue, its schedule, and its migrations. */
export class MessagingStack extends Stack {
  constructor(scope: Construct, id: string, { bundle, environment, vpcId, ...props }: MessagingStackProps) {
    super(scope, id, props);
    const timeout = Duration.seconds(30);
    const failed = new Queue(this, 'FailedJobs', { retentionPeriod: Duration.days(14) });
    const jobs = new Queue(this, 'Jobs', {
      visibilityTimeout: Duration.seconds(6 * timeout.toSeconds()),
      deadLetterQueue: { queue: failed, maxReceiveCount: 5 },
    });
    const vpc = vpcId === undefined ? undefined : Vpc.fromLookup(this, 'Vpc', { vpcId });
    const network = vpc && {
      vpc,
      // SQS, S3 and providers are reached through a NAT gateway, because a function has no public address.
      vpcSubnets: { subnetType: SubnetType.PRIVATE_WITH_EGRESS },
      securityGroups: [
        new SecurityGroup(this, 'FunctionGroup', { vpc, description: 'Allow this group to connect to the database.' }),
      ],
    };
    const code = {
      ...network,
      runtime: Runtime.NODEJS_22_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(bundle),
      memorySize: 1024,
      environment: { NODE_ENV: 'production', QUEUE_URL: jobs.queueUrl, ...environment },
    };
    const messaging = new LambdaCode(this, 'Messaging', { ...code, handler: 'function.handler', timeout });
    jobs.grantSendMessages(messaging);
    messaging.addEventSource(new SqsEventSource(jobs, { batchSize: 10, reportBatchItemFailures: true }));
    new Rule(this, 'EveryMinute', {
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [new LambdaFunction(messaging)],
    });
    const migrate = new LambdaCode(this, 'Migrate', {
      ...code,
      handler: 'function.migrate',
      timeout: Duration.minutes(5),
    });
    new Trigger(this, 'Migrations', {
      handler: migrate,
      timeout: Duration.minutes(5),
      invocationType: InvocationType.REQUEST_RESPONSE,
      executeBefore: [messaging],
    });
    const { url } = messaging.addFunctionUrl({ authType: FunctionUrlAuthType.NONE });
    new CfnOutput(this, 'Url', { value: url });
    for (const group of network?.securityGroups ?? [])
      new CfnOutput(this, 'SecurityGroup', { value: group.securityGroupId });
  }
}
