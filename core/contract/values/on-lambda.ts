// Whether this process runs on AWS Lambda, or on a platform that uses Lambda's runtime. Called by the core and by the Lambda host.

export const isOnLambda = (): boolean => process.env['AWS_LAMBDA_FUNCTION_NAME'] !== undefined;
