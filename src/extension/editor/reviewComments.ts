import {
  CommentMode,
  CommentThreadCollapsibleState,
  Range,
  comments,
  commands,
  type Comment,
  type CommentReply,
  type CommentThread,
  type Uri,
} from 'vscode';
import type { MissionCommand } from '../../contracts/commands/missionCommand';
import { questionLimits } from '../../contracts/vocabulary/recovery';
import { askingAcceptance, type AskedReview } from '../../engine/views/readReview';
import { followViews, type MissionFolders } from '../folder/missionFolders';
import { commentController, ownKeys, type Contribution } from '../registry/registry';
import { inform } from '../window/ui';
import { ui } from '../../base/text/marked/ui';

/** Work that waits for a person, by the packet that asks whether it is accepted. */
export interface AskedWork {
  readonly folder: string;
  readonly missionId: string;
  readonly taskId: string;
  readonly packet: AskedReview;
}

interface ShownFile {
  readonly work: AskedWork;
  /** POSIX, relative to the workspace root. */
  readonly path: string;
}

type LineComments = NonNullable<Extract<MissionCommand, { readonly type: 'AnswerQuestion' }>['comments']>;

/**
 * What a person writes to lines of work that waits. Nothing of it is on the disk: it lasts until it is sent, its
 * question is answered otherwise, or the window closes.
 */
export class ReviewComments implements Contribution {
  /** By the id of the document that shows it, in its newest review. */
  readonly #shown = new Map<string, ShownFile>();
  readonly #threads = new Set<CommentThread>();
  readonly #controller = comments.createCommentController(commentController, 'Mission Control');
  readonly #following: Contribution;

  constructor(private readonly folders: MissionFolders) {
    this.#controller.options = {
      prompt: 'Comment on this line',
      placeHolder: 'What should the worker change here?',
    };
    this.#controller.commentingRangeProvider = {
      provideCommentingRanges: ({ uri, lineCount }) =>
        this.#shown.has(uri.query) ? [new Range(0, 0, Math.max(0, lineCount - 1), 0)] : [],
    };
    this.#following = followViews(folders, () => this.#dropAnswered());
  }

  /** Takes comments on a document, which shows a file of waiting work. Moves those of an earlier review to it. */
  show(document: Uri, shown: ShownFile): void {
    const { work, path } = shown;
    for (const [id, one] of [...this.#shown]) {
      if (one.path !== path || !isSame(one.work, work)) continue;
      this.#shown.delete(id);
      for (const thread of this.#of(id)) {
        const moved = this.#controller.createCommentThread(document, thread.range ?? top, thread.comments);
        moved.label = labelOf(work);
        moved.collapsibleState = CommentThreadCollapsibleState.Expanded;
        this.#threads.add(moved);
        this.#drop(thread);
      }
    }
    this.#shown.set(document.query, shown);
  }

  /** @param argument VS Code's, of the button below a thread; anything else adds nothing */
  add(argument: unknown): void {
    const { thread, text = '' } = (argument ?? {}) as Partial<CommentReply>;
    const shown = this.#shown.get(thread?.uri.query ?? '');
    if (!thread || !shown || text.trim() === '') return;
    if (this.of(shown.work).length >= questionLimits.comments)
      return void inform(
        ui`One answer takes at most ${questionLimits.comments} comments, so this one was not added: ${text}`,
      );
    // A text, not Markdown, so that it is shown as it will be sent.
    const said = { body: text.trim(), mode: CommentMode.Preview, author: { name: 'You, not sent yet' } };
    thread.label = labelOf(shown.work);
    thread.comments = [...thread.comments, said];
    this.#threads.add(thread);
    this.#tell();
  }

  /** @param argument the thread of whose title a button was pressed */
  discard(argument: unknown): void {
    const thread = [...this.#threads].find((one) => one === argument);
    if (thread) this.#drop(thread);
  }

  /** The work of that thread alone, or all work with comments. */
  works(argument?: unknown): readonly AskedWork[] {
    const { thread } = (argument ?? {}) as Partial<CommentReply>;
    const all = (thread ? [thread] : [...this.#threads]).flatMap(({ uri }) => this.#shown.get(uri.query)?.work ?? []);
    const isFirst = (work: AskedWork, index: number): boolean => all.findIndex((one) => isSame(one, work)) === index;
    return all.filter((work, index) => isFirst(work, index) && this.of(work).length > 0);
  }

  /** By file and line. */
  of(work: AskedWork): LineComments {
    const files = [...this.#shown].filter(([, shown]) => isSame(shown.work, work));
    return files.flatMap(([id, { path }]) =>
      this.#of(id)
        .sort((one, other) => lineOf(one) - lineOf(other))
        .flatMap((thread) => thread.comments.map(({ body }) => ({ path, line: lineOf(thread), text: textOf(body) }))),
    );
  }

  dispose(): void {
    this.#following.dispose();
    this.#controller.dispose();
  }

  #of(document: string): CommentThread[] {
    return [...this.#threads].filter(({ uri }) => uri.query === document);
  }

  #dropAnswered(): void {
    for (const [id, { work }] of [...this.#shown]) {
      const folder = this.folders.all.find((one) => one.folder.uri.toString() === work.folder);
      const mission = folder?.read.missions.find((one) => one.mission.mission_id === work.missionId)?.mission;
      // One that cannot be read now may ask again.
      if (!mission || askingAcceptance(mission, work.taskId)?.packet_id === work.packet.packet_id) continue;
      this.#shown.delete(id);
      for (const thread of this.#of(id)) this.#drop(thread);
    }
  }

  #drop(thread: CommentThread): void {
    this.#threads.delete(thread);
    thread.dispose();
    this.#tell();
  }

  #tell(): void {
    void commands.executeCommand('setContext', ownKeys.hasComments, this.#threads.size > 0);
  }
}

const top = new Range(0, 0, 0, 0);

function textOf(body: Comment['body']): string {
  return typeof body === 'string' ? body : body.value;
}

function labelOf({ taskId }: AskedWork): string {
  return `For the worker of ${taskId}`;
}

function isSame(one: AskedWork, other: AskedWork): boolean {
  return one.folder === other.folder && one.packet.packet_id === other.packet.packet_id;
}

/** Counted from 1; of several lines the last, below which VS Code shows the thread. */
function lineOf({ range = top }: CommentThread): number {
  return range.end.line + 1;
}
