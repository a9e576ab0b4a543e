import type { FleetPlace } from '../../../contracts/fleetMirror';
import type { CommandOffers, MissionView } from '../../../contracts/page/missionView';
import type { EvidenceVerdict } from '../../../contracts/page/panelView';
import type { BlockView } from '../../../contracts/page/blockView';
import type { Refusal } from '../../../base/outcome';
import { commandTable, fileCommands } from '../../../contracts/vocabulary/commands';
import { utcText } from '../../../base/text/amounts';

/** The host of a mission, and whether a process here watches it. */
type SeenPlace = FleetPlace & { readonly watched: boolean };

const fileLines: ReadonlySet<string> = new Set([...fileCommands].map((type) => commandTable[type].line));

/**
 * The view of a mission that a host of a fleet runs: which host, and no offer that needs its files. Without a host that
 * hears a decision, it offers none.
 */
function fleetMission(view: MissionView, place: SeenPlace): MissionView {
  const heard = place.watched && place.state === 'running';
  const needsFiles = `It needs the files of the mission, in ${place.folder} on host ${place.host}.`;
  const shown = withoutOffers(view, heard, heard ? needsFiles : runsOn(place));
  // Packet and output lie on the host as well.
  const blocks = shown.blocks.map(
    (block) => ({ ...block, packet_path: null, packet_away: true, no_output: true }) as const,
  );
  return { ...shown, blocks, runs_on: runsOn(place) };
}

export function evidenceAway({ host, folder }: Pick<FleetPlace, 'host' | 'folder'>): EvidenceVerdict {
  const whole = `It is in ${folder} on host ${host}. \`mission evidence verify\` there says whether it holds.`;
  return { standing: 'unknown', text: `Evidence is on host ${host}`, whole, dir: null, findings: [] };
}

/** This user's key did not seal it as it is, so it asks and offers nothing. */
function foreignMission(view: MissionView): MissionView {
  const { next: _, ...shown } = withoutOffers(view, false, '');
  const approval = { ...shown.approval, elsewhere: true } as const;
  const again =
    view.ending === null ? `move ${view.evidence_dir} away, and approve and run its plan` : 'approve and run its plan';
  const said = { headline: `${foreignWords} To do it here, ${again}.`, interrupted: view.ending === null };
  return { ...shown, ...said, foreign: true, approval, blocks: [], attention: null, needs: null };
}

export interface Elsewhere {
  /** The host of a fleet that runs it; absent: it is of this workspace. */
  readonly place?: SeenPlace;
  /** This user's key did not seal its journal as it is. Absent: it did. */
  readonly foreign?: true;
  /** Says that a claim of a fleet has what is in its folder; absent: none has, or its host is there and decides. */
  readonly claimed?: Refusal | null;
}

/** A mission as who decides about it leaves it to this place. */
export function decidedElsewhere(view: MissionView, { foreign, place, claimed }: Elsewhere): MissionView {
  if (foreign) return foreignMission(view);
  if (place) return fleetMission(view, place);
  return claimed ? claimedMission(view, claimed) : view;
}

/** No process here runs it, because a claim of a fleet has it: it offers nothing, and says where to decide. */
function claimedMission(view: MissionView, { reason, next: [look = ''] }: Refusal): MissionView {
  const { next: _, ...shown } = withoutOffers(view, false, reason);
  return {
    ...shown,
    ...(view.ending === null && { headline: `${reason} \`${look}\` says where it is.` }),
    attention: null,
    needs: null,
  };
}

const foreignWords =
  'Its journal is of another user or machine, or was changed, or your key is another one: nothing of it runs here, and it confirms nothing.';

/** @param heard its host takes decisions that need no files of the mission */
function withoutOffers(view: MissionView, heard: boolean, reason: string): MissionView {
  const offers = Object.entries(view.offers).map(([type, offered]: readonly [string, unknown]) => [
    type,
    heard && !(fileCommands as ReadonlySet<string>).has(type) ? offered : Array.isArray(offered) ? [] : false,
  ]);
  const refused = { reason, next: [] };
  const blocks = view.blocks.map((block): BlockView => {
    const away = block.ways.filter(({ step }) => !heard || fileLines.has(step.command));
    const ways = block.ways.filter((way) => !away.includes(way));
    return { ...block, ways: [...ways, ...away.map(({ recommended: _, ...way }) => ({ ...way, refused }))] };
  });
  return { ...view, blocks, offers: Object.fromEntries(offers) as CommandOffers };
}

function runsOn({ host, folder, state, heard_at, watched }: SeenPlace): string {
  if (state === 'over') return `It ran on host ${host} of a fleet, in ${folder}.`;
  if (!watched)
    return `Host ${host} of a fleet has it, as of ${utcText(heard_at)}. No process here watches the fleet: \`mission fleet watch\`.`;
  return state === 'waiting'
    ? `Host ${host} of a fleet had it, and it waits for another host.`
    : `Host ${host} of a fleet runs it, in ${folder}.`;
}
