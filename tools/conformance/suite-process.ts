/** Loads the suite once and runs commands of it, one after the other: it takes longer to load than most of them take. */
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

/** A command of the suite: its arguments. */
export type Command = readonly string[]

/** Results of commands. */
export interface Ran {
  /** The exit code of each. */
  readonly codes: readonly number[]
  readonly output: string
}

interface Program {
  parseAsync(args: Command, options: { from: 'user' }): Promise<unknown>
}

const end = process.exit
const loading = load(process.argv[2] ?? '')
process.on('message', async (commands: readonly Command[]) => process.send?.(await runAll(await loading, commands)))
// the suite leaves open what the end of its process would have closed
process.on('disconnect', () => end(0))

/** Loads the suite without running it: its program is what it would let parse the command line. */
async function load(path: string): Promise<Program> {
  const { Command } = createRequire(path)('commander')
  let parsing: Program | undefined
  Command.prototype.parse = function parse(this: Program) {
    parsing = this
  }
  await import(pathToFileURL(path).href)
  if (parsing === undefined) throw new Error(`Cannot run commands of "${path}": it does not parse its command line`)
  return parsing
}

async function runAll(suite: Program, commands: readonly Command[]): Promise<Ran> {
  const streams = [process.stdout, process.stderr]
  const own = streams.map(({ write }) => write)
  let output = ''
  for (const stream of streams)
    stream.write = (text: Uint8Array | string) => {
      output += typeof text === 'string' ? text : Buffer.from(text).toString()
      return true
    }
  try {
    const codes: number[] = []
    for (const command of commands) codes.push(await exitCodeOf(suite, command))
    return { codes, output }
  } finally {
    for (const [index, stream] of streams.entries()) stream.write = own[index] ?? stream.write
  }
}

/** Runs one command of the suite until it would end the process. */
async function exitCodeOf(suite: Program, command: Command): Promise<number> {
  const ended = new Error('The suite ended')
  const complain = console.error
  // it takes for a failure of its own that ending the process does not end it
  console.error = (...said: unknown[]) => {
    if (!said.includes(ended)) complain(...said)
  }
  try {
    return await new Promise((resolve, reject) => {
      process.exit = (code) => {
        resolve(Number(code ?? 0))
        throw ended
      }
      suite.parseAsync(command, { from: 'user' }).then(() => resolve(0), reject)
    })
  } finally {
    console.error = complain
  }
}
