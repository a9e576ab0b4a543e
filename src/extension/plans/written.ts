import type { Uri } from 'vscode';
import { isPlanUri } from './uris';

/**
 * Notifies followers that we wrote a plan, because file events come later and may get lost. Waits for the followers.
 * Other files are ignored.
 */
export class PlanWritten {
  readonly #followers: ((uri: Uri) => Promise<void>)[] = [];

  follow(follower: (uri: Uri) => Promise<void>): void {
    this.#followers.push(follower);
  }

  async notify(uri: Uri): Promise<void> {
    if (isPlanUri(uri)) await Promise.all(this.#followers.map((follower) => follower(uri)));
  }
}
