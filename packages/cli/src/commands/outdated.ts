import { defineCommand } from '../command/command.ts'
import { openHost } from '../host/host-link.ts'
import { tableLines } from '../output/table.ts'

/** `trunkline outdated`: which programs have newer versions. */
export const outdatedCommand = defineCommand({
  name: 'outdated',
  group: 'host',
  needs: 'nothing',
  summary: 'Lists the accepted and the newest version of each program',
  usage: [''],
  details: [
    'Only asks the package registry for versions; nothing is installed or changed. "trunkline update" does that.',
  ],
  options: {},
  json: '`{ programs: […] }`',
  examples: [{ line: 'trunkline outdated', shows: 'every server that runs a package' }],
  async run({ output }) {
    const { call } = await openHost()
    const { items: programs } = await call('outdated')
    const columns = [
      { title: 'server', style: 'name' },
      { title: 'program' },
      { title: 'accepted' },
      { title: 'available' },
      { title: 'why', wraps: true },
    ] as const
    const rows = programs.map(({ server, program, accepted, available, why }) => [
      server,
      program,
      accepted,
      available ?? 'not known',
      why ?? (available === accepted ? '' : `trunkline update ${server}`),
    ])
    output.result({ programs }, () =>
      programs.length === 0
        ? ['No accepted server runs a package with npx or uvx']
        : tableLines(columns, rows, output.width),
    )
    return undefined
  },
})
