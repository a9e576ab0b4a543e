import { window } from 'vscode';
import type { Composition } from '../../compose';
import { choosePlan } from '../../plans/uris';
import { commands } from '../../registry/registry';
import { stateOfPlans } from './planState';

export async function openPlan(composition: Composition, argument?: unknown): Promise<void> {
  const uri = await choosePlan(argument, commands.openPlan.title, stateOfPlans(composition));
  if (uri) await window.showTextDocument(uri, { preview: true });
}
