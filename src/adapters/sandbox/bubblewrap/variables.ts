import type { Environment } from '../facts/facts';

/**
 * The environment variables that lead to other programs of the person, which a worker must not reach. Leaves out those
 * that lead to one of the `opened` sockets.
 */
export function leadingVariables(environment: Environment, opened: readonly string[] = []): readonly string[] {
  const editor = Object.keys(environment).filter((name) => name.startsWith('VSCODE_'));
  const leads = (name: string): boolean =>
    (environment[name]?.match(/\/(?!\/)[^,;:=]*/g) ?? []).some((at) =>
      opened.includes(at.replace(/^\/var\/run\//, '/run/')),
    );
  return [...leading, ...editor.sort()].filter((name) => !leads(name));
}

const leading = [
  ...['SSH_AUTH_SOCK', 'SSH_AGENT_PID', 'GPG_AGENT_INFO', 'DBUS_SESSION_BUS_ADDRESS', 'XDG_RUNTIME_DIR'],
  ...['WAYLAND_DISPLAY', 'DISPLAY', 'TMUX', 'TMUX_PANE'],
  ...['DOCKER_HOST', 'CONTAINER_HOST', 'NVIM', 'NVIM_LISTEN_ADDRESS'],
];
