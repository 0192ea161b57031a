/** Processor time of starts, for tests of the bundled servers. */
import { spawnSync } from 'node:child_process'

/** Processor time in microseconds. */
export interface StartCosts {
  /** Node with the library loaded. */
  readonly library: number
  /** A server from its start to the end of its input. */
  readonly server: number
}

const hook = `process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  process.stderr.write('cost ' + (user + system))
})`

/** The least that a server and bare node with the library take, started in turns: both meet the same load. */
export function startCosts(main: string, args: readonly string[], turns = 2): StartCosts {
  const [library, server]: [number[], number[]] = [[], []]
  for (let turn = 0; turn < turns; turn++) {
    library.push(
      costOf(['--input-type=module', '-e', `import ${JSON.stringify(import.meta.resolve('@trunkline/mcp'))}`]),
    )
    server.push(costOf([main, ...args]))
  }
  return { library: Math.min(...library), server: Math.min(...server) }
}

function costOf(words: readonly string[]): number {
  const args = ['--import', `data:text/javascript,${encodeURIComponent(hook)}`, ...words]
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', input: '' })
  const [, cost] = /cost (\d+)$/.exec(stderr) ?? []
  if (status !== 0 || cost === undefined) throw new Error(`Cannot measure "${words.join(' ')}": ${stderr}`)
  return Number(cost)
}
