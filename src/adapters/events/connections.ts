import type { Socket } from 'node:net';

/**
 * Limits how many connections are open at once. Closes the oldest one without access first, so that a silent client
 * with many connections keeps no other client out.
 */
export class Connections {
  /** Connections without access, the oldest first. */
  readonly #strangers = new Set<Socket>();
  readonly #letIn = new Set<Socket>();

  constructor(private readonly most: number) {}

  opened(socket: Socket): void {
    this.#strangers.add(socket);
    socket.once('close', () => this.#forget(socket));
    if (this.#strangers.size + this.#letIn.size <= this.most) return;
    // Closes the new one itself if all the others have access.
    const [oldest = socket] = this.#strangers;
    this.#forget(oldest);
    oldest.destroy();
  }

  letIn(socket: Socket): void {
    if (this.#strangers.delete(socket)) this.#letIn.add(socket);
  }

  #forget(socket: Socket): void {
    this.#strangers.delete(socket);
    this.#letIn.delete(socket);
  }
}
