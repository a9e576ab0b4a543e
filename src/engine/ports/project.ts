import type { Outcome } from '../../base/outcome';
import type { DecisionRecord } from '../../core/project/judge';
import type { ProjectSurroundings } from '../../core/project/detect';

/** What lies around ai.project.json in the root of one workspace. Everything read is somebody else's. */
export interface ProjectFiles {
  /** What the project is made of, as far as its files say. */
  surroundings(): Promise<Omit<ProjectSurroundings, 'today'>>;
  records(): Promise<readonly DecisionRecord[]>;
  /** Creates ai.project.json; refused where something of that name is there. */
  create(text: string): Promise<Outcome<null>>;
}
