import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Exports that no file of the product imports, by the reason why they stay: `<file> <names>`. */
const exceptions: readonly (readonly [reason: string, ...names: string[]])[] = [
  ['VS Code calls it', 'src/extension/extension.ts activate deactivate'],
  [
    'what another platform says is read here too',
    'src/adapters/processes/commandLine.ts shimTarget',
    'src/adapters/processes/darwin.ts parsePs',
    'src/adapters/processes/linux.ts parseStat',
    'src/adapters/processes/windows.ts parseCim',
    'src/adapters/state/leaseSupport.ts networkFileSystem',
    'src/adapters/user/terminalLauncher.ts launchers',
    'src/adapters/processes/limitGroup.ts controlFiles',
  ],
  [
    'one step of a larger work, whose cases are many',
    'src/adapters/evidence/files.ts redactDocument',
    'src/adapters/fleet/pgBossFleet.ts missionQueue',
    'src/adapters/inbox/otherOwner.ts sendCommand isTaken',
    'src/adapters/journal/foreign.ts firstPage',
    'src/adapters/processes/tree.ts bootOnce',
    'src/adapters/launches/liveLine.ts fit',
    'src/core/documents/verdict.ts inDocumentOrder',
    'src/core/freshContext/result.ts validateResult',
    'src/core/lifecycle/changes/outstandingRead.ts changedSinceAccepted',
    'src/core/lifecycle/judge/judgeRecovery.ts signInHint',
    'src/core/lifecycle/judge/judgeClaim.ts isPlaceholder',
    'src/core/mission/decide.ts assertEntryGuards',
    'src/core/recovery/permission/classify.ts triggers',
    'src/adapters/sandbox/layers/landing.ts endTree',
    'src/adapters/sandbox/places/sockets.ts listedSockets',
    'src/adapters/sandbox/bubblewrap/wrapper.ts startsOf',
    'src/core/lifecycle/verification.ts verificationRules',
    'src/core/mission/commands.ts commandRefusal',
    'src/core/mission/evolve.ts evolve',
    'src/core/policy/compile.ts isForbidden',
    'src/core/policy/policy.ts fits',
    'src/core/policy/selectModel.ts modelRefusal',
    'src/engine/effects/launch/launchEnvironment.ts prepareWorkerEnvironment',
    'src/core/view/needs/needs.ts needOf',
    'src/adapters/workspace/makers.ts processesAtWork',
    'src/extension/folder/continuations.ts toContinue',
    'src/extension/pages/doctor.ts doctorRemedies',
    'src/extension/views/transitions.ts transitionsOf',
    'src/adapters/git/facts.ts programSettings',
    'src/adapters/sandbox/bubblewrap/bubblewrapCheck.ts whyNot',
    'src/adapters/sandbox/links/findHardLinks.ts scanWritable',
    'src/core/verify/consistency.ts changeContradictions',
    'src/core/verify/journal.ts recordedFacts differences',
    'src/extension/commands/plan/approvePlan.ts endSuperseded',
    'src/supervisor/network/providerNetwork.ts openProviderProxy hostOfConnect targetOfRequest lookupOutside OwnAddress',
    'src/supervisor/superviseRun.ts takeTicket',
    'src/supervisor/view.ts headerLine endLines',
    'src/workers/shared/stream.ts maxLineLength createLineSplitter',
  ],
  [
    'a name, place, measure or limit that a test must not write a second time',
    'src/adapters/state/missionPaths.ts createMissionPaths readComparison',
    'src/adapters/user/key.ts userKeyFolder',
    'src/adapters/user/programCopy.ts programsFolder',
    'src/base/text/marked/terminal.ts widthOf',
    'src/cli/commands.ts commandLines',
    'src/cli/serve/workspace.ts Turns',
    'src/contracts/page/pageMessage.ts longestEntry',
    'src/core/mission/resolve/remedies.ts blockRows rowOfBlock',
    'src/contracts/vocabulary/execution.ts phaseNames',
    'src/core/mission/waysOut.ts commandOf',
    'src/base/text/words.ts taskWords',
    'src/engine/effects/launch/prepareLaunch.ts assignmentFile',
    'src/engine/effects/watch/watchExit.ts exitGraceSeconds turnGraceSeconds',
    'src/engine/mission/revise.ts proposeRevision',
    'src/engine/owner/deliver.ts longWaitSeconds',
  ],
];

/** The exported functions, constants and classes that no file of the product and no script imports: `<file> <names>`. */
function unimported(files: ReadonlyMap<string, string>): readonly string[] {
  const imported = new Set<string>();
  for (const [file, text] of files)
    for (const [, names, from = '', whole] of text.matchAll(
      /(?:import|export)\s+(?:type\s+)?(\{[^}]*\}|\*\s+as\s+\w+)\s+from\s+'(\.[^']+)'|import\('(\.[^']+)'\)/g,
    )) {
      const specifier = whole ?? from;
      // Text that a script has bundled names files from the root.
      for (const base of [path.posix.dirname(file), '.']) {
        const at = path.posix.join(base, specifier);
        const target = files.has(at) ? at : `${at}.ts`;
        for (const name of names?.startsWith('{') ? names.slice(1, -1).split(',') : ['*'])
          imported.add(`${target} ${/^\s*(?:type )?(\w+|\*)/.exec(name)?.[1] ?? ''}`);
      }
    }
  return [...files].flatMap(([file, text]) => {
    const names = [...text.matchAll(/^export (?:async )?(?:function\*?|const|let|(?:abstract )?class) (\w+)/gm)]
      .map(([, name = '']) => name)
      .filter((name) => !imported.has(`${file} ${name}`) && !imported.has(`${file} *`));
    return names.length === 0 || file.startsWith('scripts/') ? [] : [`${file} ${names.join(' ')}`];
  });
}

describe('what src exports', () => {
  it('is imported by src, webview-ui or scripts, or stands in the list of what only tests take', () => {
    const names = ['src/**/*.ts', 'webview-ui/src/**/*.{ts,tsx}', 'scripts/*.{mjs,cjs,mts}'].flatMap((glob) =>
      globSync(glob),
    );
    const files = new Map(
      names.map((name) => [name.replaceAll('\\', '/').replace(/\.tsx$/, '.ts'), readFileSync(name, 'utf8')]),
    );
    assert.ok(files.size > 300, String(files.size));
    const excepted = exceptions.flatMap(([, ...lines]) => lines);
    assert.deepEqual([...unimported(files)].sort(), excepted.sort());
  });

  it('goes red for an export that no file or only a test imports, whatever else is imported from its file', () => {
    const files = new Map([
      [
        'src/a/one.ts',
        'export function used() {}\nexport const dead = 1;\nexport class Own {}\nexport interface Type {}',
      ],
      ['src/a/whole.ts', 'export const any = 1;'],
      ['src/a/two.ts', "import {\n  used as mine,\n  type Type,\n} from './one';\nimport * as whole from './whole';"],
      ['src/b/bundled.ts', 'export const table = {};\nexport async function lost() {}'],
      ['scripts/x.mjs', "load(`export { table } from './src/b/bundled';`);\nexport function ofScript() {}"],
    ]);
    assert.deepEqual(unimported(files), ['src/a/one.ts dead Own', 'src/b/bundled.ts lost']);
  });
});
