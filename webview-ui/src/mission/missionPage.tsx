import type { ComponentChildren, JSX } from 'preact';
import type { ShownMission } from '../../../src/contracts/page/panelView';
import { Attention } from './attention';
import { WhatChanged } from './changed';
import { Decision } from './decision';
import { Envelope } from './envelope';
import { Events } from './events';
import { Facts } from './facts';
import { Header } from './header';
import { Milestones } from './milestones';
import { Recoveries } from './recoveries';
import { Trust } from './trust';
import { Workers } from './workers';
import { Whole } from '../shell/whole';
import { Tasks } from '../tasks/tasks';

/** One mission, from what a person must know at a glance to what they may want to look up. */
export function MissionPage({ mission }: { readonly mission: ShownMission }): JSX.Element {
  const { view } = mission;
  const ended = view.ending !== null;
  const part = (name: string, children: ComponentChildren): JSX.Element => (
    <Whole part={name} of={mission}>
      {children}
    </Whole>
  );
  return (
    <>
      {part('the head of the mission', <Header mission={mission} />)}
      {part('what can be trusted', <Trust trust={mission.trust} />)}
      {part('the execution envelope', <Envelope steps={mission.envelope} />)}
      {ended ? null : part('what you can do', <Attention mission={mission} />)}
      {part('the decisions', <Decisions view={view} />)}
      {ended ? part('what changed', <WhatChanged mission={mission} />) : null}
      {part('the milestones', <Milestones view={view} />)}
      {part('the tasks', <Tasks mission={mission} />)}
      {ended ? null : part('the workers', <Workers mission={mission} />)}
      {part('the recoveries', <Recoveries view={view} />)}
      {part('the facts', <Facts mission={mission} />)}
      {part('the events', <Events mission={mission} />)}
    </>
  );
}

function Decisions({ view }: { readonly view: ShownMission['view'] }): JSX.Element {
  return (
    <>
      {view.blocks.map((block) => (
        <Decision key={block.packet_id} block={block} view={view} />
      ))}
    </>
  );
}
