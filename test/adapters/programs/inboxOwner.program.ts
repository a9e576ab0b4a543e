import { createInbox } from '../../../src/adapters/inbox/receive';
import { stateFolderOf } from '../../../src/adapters/state/folder';
import { argument, say } from './say';

// <workspace> <answer | hang>: owner of the inbox; with `hang` it takes commands and answers none.
const inbox = createInbox(stateFolderOf(argument(0)), (problem) => say({ problem }));
inbox.watch((command) => {
  say({ took: command.id });
  if (argument(1) === 'hang') return;
  const answer = { accepted: true, code: 'ACCEPTED', reason: command.reason, next: [] };
  void inbox.answer(command.id, answer).then(() => say({ answered: command.id }));
});
say({ ready: true });
setInterval(() => undefined, 1000); // the inbox itself keeps no process alive
