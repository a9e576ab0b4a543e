import { randomBytes } from 'node:crypto';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { cut } from '../base/text/cut';
import {
  isOrchestratorTool,
  orchestratorAskIn,
  type OrchestratorAnswerFile,
  type OrchestratorAsk,
} from '../contracts/orchestratorTools';
import { orchestratorServer, orchestratorTools, type OrchestratorTool } from '../contracts/vocabulary/orchestrator';
import { refuse, type ToolRefusal } from './refusal';
import { shownRefusal, shownResult } from './shown';
import { instructions, listedTools } from './tools';

/** Asks the owner; `gone` aborts when the client stops waiting for the answer. */
export type AskOwner = (request: OrchestratorAsk, gone: AbortSignal) => Promise<OrchestratorAnswerFile | ToolRefusal>;

/**
 * The MCP server of the mission tools. It decides nothing: every request in the right form goes to
 * the owner. It uses the SDK's server that leaves arguments to us, because our refusals have a code
 * and next steps.
 */
// oxlint-disable-next-line typescript/no-deprecated
export function createServer(ask: AskOwner): Server {
  // oxlint-disable-next-line typescript/no-deprecated
  const server = new Server(
    { name: orchestratorServer, title: 'Mission Control', version: '1.0.0' },
    { capabilities: { tools: {} }, instructions },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listedTools() }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    const request = requestOf(cut(params.name, namedAtMost), params.arguments ?? {});
    const answer = 'tool' in request ? await ask(request, signal) : request;
    return answer.ok ? shownResult(answer.result, randomBytes(12).toString('hex')) : shownRefusal(answer);
  });
  return server;
}

function requestOf(name: string, given: Readonly<Record<string, unknown>>): OrchestratorAsk | ToolRefusal {
  if (!isOrchestratorTool(name))
    return refuse(
      'TOOL_INPUT_INVALID',
      `There is no tool ${name} here.`,
      `Call one of these: ${orchestratorTools.join(', ')}.`,
    );
  const read = askIn(name, given);
  if ('tool' in read) return read;
  return refuse(
    'TOOL_INPUT_INVALID',
    `The tool ${name} does not take these arguments: ${read.join('; ')}.`,
    'Correct what is named and call it again; the input schema of the tool says what it takes.',
  );
}

function askIn(name: OrchestratorTool, given: Readonly<Record<string, unknown>>): OrchestratorAsk | readonly string[] {
  const read = orchestratorAskIn(name, given);
  return 'tool' in read ? read : read.map((wrong) => cut(wrong, namedAtMost));
}

/** Characters of a call that an answer repeats, because a long call must not make a long answer. */
const namedAtMost = 500;
