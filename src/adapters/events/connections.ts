import type { Socket } from 'node:net';

/**
 * Limits how many connections are open at once. The oldest connection without access goes first, so a client that opens
 * them all and says nothing keeps no other client out.
 */
export class Connections {
  /** The oldest first. */
  readonly #strangers = new Set<Socket>();
  readonly #letIn = new Set<Socket>();

  constructor(private readonly most: number) {}

  opened(socket: Socket): void {
    this.#strangers.add(socket);
    socket.once('close', () => this.#forget(socket));
    if (this.#strangers.size + this.#letIn.size <= this.most) return;
    // The new one itself, where all the others have access.
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
