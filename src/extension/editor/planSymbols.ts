import { DocumentSymbol, SymbolKind, languages, type DocumentSymbolProvider, type TextDocument } from 'vscode';
import { planPlaces } from '../../adapters/documents/planPlaces';
import type { Contribution } from '../registry/contribution';
import { planDocuments, rangeOf, textOf } from './planDocuments';
import { planOutline, type OutlineEntry } from './planOutline';

export class PlanSymbols implements Contribution, DocumentSymbolProvider {
  readonly #registration = languages.registerDocumentSymbolProvider(planDocuments, this, { label: 'Mission Control' });

  provideDocumentSymbols(document: TextDocument): DocumentSymbol[] {
    const text = textOf(document);
    const places = text === null ? null : planPlaces(text);
    if (text === null || places === null) return [];
    const id = places.plan ? text.slice(places.plan.offset + 1, places.plan.offset + places.plan.length - 1) : '';
    const outline = planOutline(places, id);
    return outline ? [symbol(document, outline)] : [];
  }

  dispose(): void {
    this.#registration.dispose();
  }
}

const kinds = { plan: SymbolKind.Module, milestone: SymbolKind.Event, task: SymbolKind.Function } as const;

function symbol(document: TextDocument, { kind, name, detail, whole, at, inside }: OutlineEntry): DocumentSymbol {
  const made = new DocumentSymbol(
    name.toString(),
    detail.toString(),
    kinds[kind],
    rangeOf(document, whole),
    rangeOf(document, at),
  );
  made.children = inside.map((one) => symbol(document, one));
  return made;
}
