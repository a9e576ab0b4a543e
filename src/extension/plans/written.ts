import type { Uri } from 'vscode';

/**
 * Notifies followers that we wrote a plan file, because file events come later and may get lost.
 * Waits for the followers.
 */
export class PlanWritten {
  readonly #followers: ((uri: Uri) => Promise<void>)[] = [];

  follow(follower: (uri: Uri) => Promise<void>): void {
    this.#followers.push(follower);
  }

  async notify(uri: Uri): Promise<void> {
    await Promise.all(this.#followers.map((follower) => follower(uri)));
  }
}
