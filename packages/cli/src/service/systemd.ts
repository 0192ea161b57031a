import { posix } from 'node:path'
import { hostVariables } from './host-flags.ts'
import { hostCommandLine, marker, placeVariables, type ServiceContext, type ServicePlan } from './service-plan.ts'

const unit = 'trunkline.service'

/** A user unit of systemd. */
export function systemdPlan(context: ServiceContext): ServicePlan {
  const { XDG_CONFIG_HOME: config } = context.environment
  const folder = config && posix.isAbsolute(config) ? config : posix.join(context.home, '.config')
  const text = [
    `# ${marker}`,
    '[Unit]',
    'Description=Trunkline: MCP servers, once for all clients',
    '',
    '[Service]',
    `ExecStart=${hostCommandLine(context).map(quoted).join(' ')}`,
    ...[...placeVariables(context), ...Object.entries(hostVariables)].map(
      ([name, value]) => `Environment=${quoted(`${name}=${value}`)}`,
    ),
    'WorkingDirectory=%h',
    'Restart=on-failure',
    'RestartSec=2',
    // the host ends its servers itself; what is left after that is ended for it
    'KillMode=mixed',
    'TimeoutStopSec=30',
    'UMask=0077',
    '',
    '[Install]',
    'WantedBy=default.target',
    '',
  ].join('\n')
  return {
    manager: 'systemd',
    file: posix.join(folder, 'systemd/user', unit),
    text,
    start: [
      ['systemctl', '--user', 'daemon-reload'],
      ['systemctl', '--user', 'enable', '--now', unit],
    ],
    stop: [['systemctl', '--user', 'disable', '--now', unit]],
    after: [['systemctl', '--user', 'daemon-reload']],
    query: ['systemctl', '--user', 'is-active', '--quiet', unit],
    note: 'It runs while you are logged in; to run it always: loginctl enable-linger',
  }
}

/** A word of a unit: specifiers and variables mean nothing in it. */
function quoted(word: string): string {
  const plain = word.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%').replaceAll('$', '$$$$')
  return `"${plain}"`
}
