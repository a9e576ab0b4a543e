import type { Outcome } from '../../base/outcome';
import type { LockedIntent } from '../../core/context/tier0';
import type { Finding } from '../../core/documents/finding';
import type { ProjectSurroundings } from '../../core/project/detect';
import type { DecisionRecord } from '../../core/project/judge';

/** The files around ai.project.json in the root of one workspace. All of them are hostile. */
interface AroundProject {
  /** Returns what the project consists of, according to its files. */
  surroundings(): Promise<Omit<ProjectSurroundings, 'today'>>;
  records(): Promise<readonly DecisionRecord[]>;
  checkShape(value: unknown): readonly Finding[];
  /** Creates ai.project.json; refused if that name exists. */
  create(text: string): Promise<Outcome<null>>;
}

/** For people, in the editor and on the command line. */
export interface ProjectFiles extends AroundProject {
  read(): Promise<ProjectText>;
}

/** For the driver: it reads the file for a task whose intent is resolved, and the intent is a parameter. */
export interface DriverProject extends AroundProject {
  read(intent: LockedIntent): Promise<ProjectText>;
}

export type ProjectText =
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable'; readonly reason: string }
  | {
      readonly kind: 'read';
      readonly text: {
        /** Upper-case SHA-256 of the bytes. */
        readonly sha256: string;
        /** Null: the bytes are not UTF-8. */
        readonly text: string | null;
        readonly value: unknown;
        readonly findings: readonly Finding[];
        locate(findings: readonly Finding[]): readonly Finding[];
      };
    };
