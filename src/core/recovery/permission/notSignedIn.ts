import type { AgentName } from '../../../contracts/vocabulary/workers';

/**
 * What each CLI says at its end where a sign-in is missing, expired, revoked or refused. Anchored, because the end may
 * quote a model, a registry or an MCP server. Those mention the sign-in of something else.
 */
export const notSignedIn: Readonly<Record<AgentName, RegExp>> = {
  // The stream puts `authentication_failed` in front where a field of an event says so.
  claude:
    /^(?:authentication_failed\b|(?:[a-z_]{1,40}: )?(?:Error: )?(?:Not logged in\b|Not signed in\b|Please run \/login\b|Invalid API key\b|Invalid auth token\b|OAuth token revoked\b|Login expired\b|Login reached its time limit\b|Session expired\b|Authentication required\b|Failed to authenticate[.:]|Could not resolve authentication method\b|Your apiKeyHelper script is failing\b|API Error: (?:401\b|\d{3} \{[^\n]{0,400}?(?<!\\)"(?:type":\s*"authentication_error"|message":\s*"OAuth ))))/,
  codex:
    /^(?:Error: )?(?:(?:stream disconnected before completion: )?(?:unexpected status |(?:exceeded retry limit, )?last status: )401\b|Failed to refresh token\b|Your (?:access token|authentication session) could not be refreshed\b|Not logged in\b|Missing environment variable: |Incorrect API key provided\b|\{[^\n]{0,2000}?(?<!\\)"code":\s*"invalid_api_key")/i,
  gemini:
    /^(?:Please set an Auth method|Invalid auth method selected|When using .{1,40}, you must specify|(?:Error authenticating: )?(?:FatalAuthenticationError: |Manual authorization is required\b|(?:FatalCancellationError: )?Authentication cancelled by user\b)|Opening authentication page in your browser\b|Please visit the following URL to authorize\b|\[API Error: [^\n]{0,2000}\(Status: UNAUTHENTICATED\)|(?:\[API Error: )?(?:API key (?:not valid|expired)\b|\{[^\n]{0,2000}?(?<!\\)"(?:code":\s*401\b|message":\s*"API key (?:not valid|expired)\b)))/,
  opencode:
    /^(?:Error: )?(?:HTTP 401\b|(?:HTTP 40[03]: )?(?:Unauthorized(?::|$)|(?:Invalid|Incorrect|Missing) API key\b|API key (?:not valid|expired)\b)|(?:[\w.-]{1,40} ){1,4}API key is missing\b|(?:OAuth )?token refresh failed\b|ProviderAuthError\b)/i,
};
