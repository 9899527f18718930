// Whether this process runs on AWS Lambda, or on its runtime. Called by the core and by the Lambda host.

/** True on AWS Lambda. */
export const isOnLambda = (): boolean => process.env['AWS_LAMBDA_FUNCTION_NAME'] !== undefined;
