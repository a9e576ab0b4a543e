import { caseSensitive } from '../paths/compare';
import { pathUnder } from '../paths/underFolder';

/**
 * File name without extension in `recovery-packets/`; unique, because run directories are numbered. Source: seed 000.
 */
export function packetFileName(createdAt: string, runId: string): string {
  return `${createdAt.replaceAll(/[:.]/g, '-')}-${runId}`;
}

function slashed(path: string): string {
  return path.replaceAll('\\', '/').replace(/(?<=.)\/+$/, '');
}
export function climbs(path: string): boolean {
  return slashed(path).split('/').includes('..');
}
export function inside(path: string, folder: string): boolean {
  return pathUnder(slashed(path), slashed(folder), caseSensitive) !== null;
}
export function parentOf(path: string): string {
  return slashed(path).split('/').slice(0, -1).join('/');
}
export function baseName(path: string): string {
  return slashed(path).split('/').at(-1) ?? '';
}
