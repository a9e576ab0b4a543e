import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { agentNames } from '../../src/contracts/vocabulary/workers';
import type { AgentName } from '../../src/contracts/vocabulary/workers';
import { buildPrompt } from '../../src/workers/shared/prompt';
import type { LaunchLine } from '../../src/workers/worker';
import { needsBubblewrap } from '../support/bubblewrap';
import { makePlace, searchPath } from './homes';
import type { AgentPlace } from './homes';
import { makeMission } from './missionRun';
import { requireMission } from './missionSuite';
import { startMockModel } from './mockModel';
import type { ModelRequest, ModelTurn } from './mockModel';
import { planFor } from './plans';
import { promptInput } from './prompts';
import { runAgent } from './runAgent';
import { finishTurn, packetFor, shellTurn, writeFileTurn } from './turns';

/** Files that some CLI would follow, below the place of a test. */
const own = [
  ...['AGENTS.md', 'CLAUDE.md', 'GEMINI.md', 'CONTEXT.md', '.claude/CLAUDE.md', '.claude/rules/rule.md'],
  ...['deep/AGENTS.md', 'deep/CLAUDE.md', 'deep/GEMINI.md'],
].map((name) => `workspace/${name}`);
const persons = ['.claude/CLAUDE.md', '.codex/AGENTS.md', '.gemini/GEMINI.md', '.config/opencode/AGENTS.md'].map(
  (name) => `home/${name}`,
);
const wordsOf = (name: string): string => `The words of ${name} begin here`;

/** What no option of the CLI prevents, outside of our sandbox: its launch line says so. */
const allTheSame: Readonly<Record<AgentName, readonly string[]>> = {
  claude: [],
  codex: ['home/.codex/AGENTS.md'],
  gemini: ['home/.gemini/GEMINI.md', 'workspace/GEMINI.md', 'workspace/deep/GEMINI.md'],
  opencode: [],
};
/** What it follows without what our launch line adds. */
const otherwise: Readonly<Partial<Record<AgentName, readonly string[]>>> = {
  claude: ['home/.claude/CLAUDE.md'],
  codex: ['home/.codex/AGENTS.md', 'workspace/AGENTS.md'],
  opencode: ['home/.config/opencode/AGENTS.md'],
};

for (const agent of agentNames) {
  describe(`instructions that the real ${agent} follows`, function () {
    this.timeout(240_000);
    before(function () {
      requireMission(this, agent);
    });

    const launch = async (name: string, alter?: (line: LaunchLine) => LaunchLine): Promise<Told> => {
      const place = await makePlace(`${agent}-${name}`);
      await plant(place);
      const model = await startMockModel({ '': (request, index) => turns(agent, place, request, index) });
      try {
        const context = { project: null, memory: null, answers: [], instructions: [frozen] };
        const prompt = buildPrompt(promptInput({ context }));
        const run = await runAgent(agent, place, { prompt, modelUrl: model.url, ...(alter && { alter }) });
        assert.ok(run.summary.finalOk, run.stdout + run.stderr);
        return toldIn(model.requests);
      } finally {
        await model.stop();
      }
    };

    it('are those of the prompt, and no others but the ones that its launch line names', async () => {
      const { given, followed } = await launch('instructions');
      assert.ok(given, 'the frozen text reaches the model');
      assert.deepEqual(followed, allTheSame[agent]);
    });

    if (otherwise[agent])
      it('would be others without what our launch line adds', async () => {
        const { followed } = await launch('own-reading', withOwnReading);
        assert.deepEqual(followed, otherwise[agent]);
      });

    it('are in our sandbox the frozen ones, and of other files only what no option prevents', async function () {
      const bwrap = needsBubblewrap(this);
      const place = await makePlace(`${agent}-frozen`);
      await plant(place);
      await mkdir(path.join(place.workspace, 'docs'), { recursive: true });
      await writeFile(path.join(place.workspace, frozen.path), frozen.text);
      const model = await startMockModel({ '': (request, index) => turns(agent, place, request, index) });
      const { execution } = planFor(agent, {}) as { readonly execution: object };
      const bed = await makeMission(agent, place, model.url, {
        environment: { PATH: [path.join(place.root, 'bin'), bwrap, searchPath()].join(path.delimiter) },
        members: { execution: { ...execution, project_instructions: [frozen.path] } },
      });
      try {
        const end = await bed.run('--confinement', 'required');
        assert.equal(end.exitCode, 0, end.stdout + end.stderr);
        const { given, followed } = toldIn(model.requests);
        assert.ok(given, 'the frozen text reaches the model');
        assert.deepEqual(
          followed,
          allTheSame[agent].filter((name) => name.startsWith('workspace/')),
        );
      } finally {
        await bed.endLeftovers();
        await model.stop();
      }
    });
  });
}

const frozen = { path: 'docs/rules.md', text: 'Every function of this project has a short name.' };

interface Told {
  readonly given: boolean;
  /** The files of `plant` whose words reached the model. */
  readonly followed: readonly string[];
}

function toldIn(requests: readonly ModelRequest[]): Told {
  const all = requests.map(({ prompt, otherText: told }) => `${prompt}\n${told}`).join('\n');
  return {
    given: requests[0]?.prompt.includes(`<project_instructions>\nsource: ${frozen.path}\n${frozen.text}`) === true,
    followed: [...own, ...persons].filter((name) => all.includes(wordsOf(name))).sort(),
  };
}

async function plant(place: AgentPlace): Promise<void> {
  for (const name of [...own, ...persons]) {
    const file = path.join(place.root, ...name.split('/'));
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, `${wordsOf(name)}.\n`);
  }
  await writeFile(path.join(place.workspace, 'deep', 'text.txt'), 'a text beside instructions\n');
}

/** It reads a file beside nested instructions, writes one, and ends. */
function turns(agent: AgentName, place: AgentPlace, request: ModelRequest, index: number): ModelTurn {
  const text = path.join(place.workspace, 'deep', 'text.txt');
  const hello = path.join(place.workspace, 'src', 'hello.txt');
  if (index === 0) return readTurn(agent, text);
  if (index === 1) return writeFileTurn(agent, hello, 'hello\n');
  return finishTurn(agent, packetFor(request, [{ resource: 'src/hello.txt', action: 'created' }]));
}

function readTurn(agent: AgentName, file: string): ModelTurn {
  switch (agent) {
    case 'claude':
      return { tool: 'Read', arguments: { file_path: file } };
    case 'codex':
      return shellTurn(agent, `cat '${file}'`);
    case 'gemini':
      return { tool: 'read_file', arguments: { file_path: file } };
    case 'opencode':
      return { tool: 'read', arguments: { filePath: file } };
  }
}

/** The launch line without what keeps the CLI from reading instructions by itself. */
function withOwnReading(line: LaunchLine): LaunchLine {
  const { CLAUDE_CODE_DISABLE_CLAUDE_MDS: _, OPENCODE_CONFIG_DIR: __, ...env } = line.env;
  const at = line.argv.indexOf('project_doc_max_bytes=0');
  const argv = line.argv.filter((_argument, index) => at === -1 || (index !== at && index !== at - 1));
  return { ...line, env, argv: argv as [string, ...string[]] };
}
