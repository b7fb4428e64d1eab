/** The texts of the page of a connection test. */
export const CONNECTION_TEST_TEXTS = {
  title: "Test connection",
  back: "Back to the client",
  logIn: "Log in with your wallet",
  logInHint:
    "This is a real login of your client. Sign it as a person would; this page then shows what your identity provider receives.",
  code: "Login code for your wallet",
  openWallet: "Open in wallet",
  works: "The connection works. An identity provider with these values logs people in.",
  steps: "Steps",
  receives: "What your identity provider receives",
  tooMany: "Too many connection tests run at the moment. Try again in a few minutes.",
} as const;

/** The steps of a connection test, by name. */
export const STEP_TEXTS = {
  discovery: "Discovery document",
  authorize: "Authorization request",
  wallet: "Wallet signature",
  return: "Return to the redirect URI",
  exchange: "Code exchange with the client secret",
  idToken: "ID token",
  userinfo: "Userinfo",
} as const;

/** What went wrong in a step of a connection test. */
export const TEST_FAULT_TEXTS = {
  failed: (step: string, fault: string) => `${step} failed: ${fault}.`,
  otherIssuer: (found: string, issuer: string) => `the issuer in it is ${found}, not ${issuer}`,
  noLoginPage: (status: number) => `it answered ${status} and no login page`,
  ledTo: (address: string) => `it led to ${address}`,
  noAddress: "no address",
  refused: (error: string, description: string) => `${error}: ${description}`,
  otherState: "the state is not the one that was sent",
  otherIss: "iss is not the issuer",
  otherNonce: "its nonce is not the one that was sent",
  otherSecret: "the secret is not this client's; paste it again, or make a new one",
  answered: (status: number, error: string) => `it answered ${status} ${error}`,
  pathAnswered: (path: string, status: number) => `${path} answered ${status}`,
  walletRefused: "The wallet did not sign: its answer was refused. Start the test again.",
  expired: "The wallet did not sign: the code is too old. Start the test again.",
  over: "The login ended before the wallet signed. Start the test again.",
} as const;
