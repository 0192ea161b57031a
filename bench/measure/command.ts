import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { meteredCommand } from '../process/command-cpu.ts'
import { installCommand, trunklineCommand } from '../process/our-command.ts'
import { benchFolder, erasedFile } from '../process/places.ts'
import type { Entrant, Measurement, Sampler } from './measurement.ts'

const peer = (path: string): string => join(benchFolder, 'node_modules', path)
const node = process.execPath

interface CommandLine {
  readonly contestant: string
  readonly words: readonly string[]
}

const versions: readonly CommandLine[] = [
  { contestant: 'raw', words: [node, '-p', '"1.0.0"'] },
  { contestant: 'trunkline', words: [node, trunklineCommand, '--version'] },
  { contestant: 'mcporter', words: [node, peer('mcporter/dist/cli.js'), '--version'] },
  { contestant: 'Inspector', words: [node, peer(inspector()), '--version'] },
]

/** Command lines that list the tools of a server with so many. */
function listings(count: number): readonly CommandLine[] {
  const server = [node, erasedFile('raw/listed-tools'), String(count)]
  return [
    { contestant: 'raw', words: [node, erasedFile('raw/list-tools'), ...server] },
    {
      contestant: 'trunkline',
      words: [node, trunklineCommand, 'tools', '--json', '--', ...server],
    },
    {
      contestant: 'mcporter',
      words: [node, peer('mcporter/dist/cli.js'), 'list', '--json', '--stdio', server.join(' ')],
    },
    { contestant: 'Inspector', words: [node, peer(inspector()), '--cli', ...server, '--method', 'tools/list'] },
  ]
}

/** Cost of commands that are run again and again: printing the version, and listing the tools of a program. */
export const command: Measurement = {
  name: 'command',
  title: 'processor time of commands',
  groups: ({ quick }) => [
    groupOf('--version', versions, /\d+\.\d+\.\d+/, quick),
    groupOf('11 tools over stdio', listings(11), /"tool_10"/, quick),
    groupOf('10 000 tools over stdio', listings(10_000), /"tool_9999"/, quick),
  ],
}

function groupOf(title: string, lines: readonly CommandLine[], wanted: RegExp, quick: boolean) {
  const entrants = lines.map(
    ({ contestant, words }): Entrant => ({ contestant, variant: '', open: () => open(words, wanted) }),
  )
  return { title, unit: 'ms', better: 'less', rounds: quick ? 3 : 15, warmUps: 1, entrants } as const
}

/** Every command has a home of its own, which the warm-up fills with what it keeps between runs. */
async function open(words: readonly string[], wanted: RegExp): Promise<Sampler> {
  installCommand()
  const home = mkdtempSync(join(tmpdir(), 'bench-command-'))
  const { NODE_COMPILE_CACHE: _cache, ...inherited } = process.env
  const env = { ...inherited, HOME: home }
  return {
    async sample() {
      const { stdout, cpuMs } = await meteredCommand(words, env)
      if (!wanted.test(stdout)) throw new Error(`Cannot count "${words.join(' ')}": it did not print ${wanted}`)
      return { value: cpuMs }
    },
    close: async () => rmSync(home, { recursive: true, force: true }),
  }
}

function inspector(): string {
  return '@modelcontextprotocol/inspector/clients/launcher/build/index.js'
}
