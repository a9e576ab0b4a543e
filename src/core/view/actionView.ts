import type { LiveWorkerView } from '../../contracts/missionView';

type ActionView = NonNullable<LiveWorkerView['actions']>[number];

/** One word for what the tools of all CLIs do; a tool that nobody here knows keeps its name. */
export function actionView({ tool, detail }: { readonly tool: string; readonly detail: string }): ActionView {
  return { what: words.get(tool.toLowerCase()) ?? tool, on: detail };
}

const tools = {
  read: ['read', 'read_file', 'read_many_files', 'notebookread'],
  edit: ['edit', 'multiedit', 'notebookedit', 'replace', 'apply_patch'],
  write: ['write', 'write_file'],
  run: ['bash', 'shell', 'run_shell_command', 'command_execution'],
  find: ['grep', 'glob', 'search_file_content', 'grep_search'],
  list: ['ls', 'list', 'list_directory'],
} as const;

const words: ReadonlyMap<string, string> = new Map(
  Object.entries(tools).flatMap(([word, names]) => names.map((name) => [name, word] as const)),
);
