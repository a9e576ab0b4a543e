import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';

/**
 * A model service on 127.0.0.1 that answers all CLIs from a script (aimock, in process). Prompts choose the
 * script by the first key they contain, so one service can play several tasks of a mission.
 */
export interface MockModel {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** Every request for an answer, in order. */
  readonly requests: readonly ModelRequest[];
  stop(): Promise<void>;
}

/** One turn of the model. `error` is an HTTP status with a message; `hang` never answers; `until` comes later. */
export type ModelTurn =
  | { readonly say: string }
  | { readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> }
  | { readonly error: string; readonly status: number }
  | { readonly hang: true }
  | { readonly until: Promise<unknown>; readonly turn: ModelTurn };

/** Turns in order, the last one repeated; or a function of the request and how many this script has answered. */
export type ModelScript = readonly ModelTurn[] | ((request: ModelRequest, index: number) => ModelTurn);

export interface ModelRequest {
  /** Text of the user messages, joined. */
  readonly prompt: string;
  /** Text of the last message when it is the result of a tool call. */
  readonly toolResult: string | null;
  /** Everything else that the CLI sent the model, joined: what it is, and what it read. */
  readonly otherText: string;
  /** Names of the tools the CLI offered. */
  readonly tools: readonly string[];
}

/** What each model turn claims to have used, so that a test can tell 1 turn from 2. */
export const tokensPerTurn = { input: 111, output: 22 } as const;

/** @param scripts by text that the prompt must contain; the key `''` answers everything else. */
export async function startMockModel(
  scripts: Readonly<Record<string, ModelScript>>,
  options: { readonly withoutUsage?: boolean } = {},
): Promise<MockModel> {
  const LLMock = loadMock();
  const mock = new LLMock({ port: 0, host: '127.0.0.1' });
  const requests: ModelRequest[] = [];
  const answered = new Map<string, number>();
  mock.addFixture({
    match: {},
    response: async (raw) => {
      const request = requestOf(raw);
      requests.push(request);
      const key = Object.keys(scripts).find((text) => text !== '' && request.prompt.includes(text)) ?? '';
      const script = scripts[key];
      if (script === undefined)
        return { error: { message: `no script for this prompt: ${request.prompt.slice(0, 200)}` }, status: 400 };
      const index = answered.get(key) ?? 0;
      answered.set(key, index + 1);
      const turn = typeof script === 'function' ? script(request, index) : script[Math.min(index, script.length - 1)];
      if (turn === undefined) return { error: { message: 'empty script' }, status: 400 };
      return answerOf(turn, options.withoutUsage === true ? {} : usage);
    },
  });
  const url = await mock.start();
  return {
    url,
    requests,
    stop: () => mock.stop(),
  };
}

/** Each provider reads its own names; unknown ones are ignored. */
const usage = {
  input_tokens: tokensPerTurn.input,
  output_tokens: tokensPerTurn.output,
  promptTokenCount: tokensPerTurn.input,
  candidatesTokenCount: tokensPerTurn.output,
};

function answerOf(turn: ModelTurn, usage: object): unknown {
  if ('say' in turn) return { content: turn.say, usage };
  if ('tool' in turn) return { toolCalls: [{ name: turn.tool, arguments: JSON.stringify(turn.arguments) }], usage };
  if ('until' in turn) return turn.until.then(() => answerOf(turn.turn, usage));
  if ('error' in turn) return { error: { message: turn.error, type: 'invalid_request_error' }, status: turn.status };
  return new Promise<never>(() => undefined);
}

interface RawRequest {
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[];
  readonly tools?: readonly { readonly function?: { readonly name?: string } }[];
}

function requestOf(raw: RawRequest): ModelRequest {
  const last = raw.messages.at(-1);
  return {
    prompt: raw.messages
      .filter(({ role }) => role === 'user')
      .map(({ content }) => textOf(content))
      .join('\n'),
    otherText: raw.messages
      .filter(({ role }) => role !== 'user')
      .map(({ content }) => textOf(content))
      .join('\n'),
    toolResult: last?.role === 'tool' ? textOf(last.content) : null,
    tools: (raw.tools ?? []).map((tool) => tool.function?.name ?? ''),
  };
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(textOf).join('');
  if (typeof content === 'object' && content !== null && 'text' in content) return String(content.text);
  return '';
}

interface LlMock {
  addFixture(fixture: { match: object; response: (request: RawRequest) => Promise<unknown> }): unknown;
  start(): Promise<string>;
  stop(): Promise<void>;
}

/** aimock is installed in the tools folder of these tests, not in the project. */
function loadMock(): new (options: { port: number; host: string }) => LlMock {
  const fromTools = createRequire(path.resolve(process.cwd(), 'test/tools/agents/package.json'));
  const loaded = fromTools('@copilotkit/aimock') as { LLMock: new (options: object) => LlMock };
  return loaded.LLMock;
}
