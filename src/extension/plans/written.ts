import type { Uri } from 'vscode';
import { isPlanUri } from './uris';

/** File events come later and may get lost. Waits for the followers; ignores files that are no plans. */
export class PlanWritten {
  readonly #followers: ((uri: Uri) => Promise<void>)[] = [];

  follow(follower: (uri: Uri) => Promise<void>): void {
    this.#followers.push(follower);
  }

  async notify(uri: Uri): Promise<void> {
    if (isPlanUri(uri)) await Promise.all(this.#followers.map((follower) => follower(uri)));
  }
}
