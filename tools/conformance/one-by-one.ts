/** Runs scenarios of the suite one after the other in one process: it takes longer to start than most of them take. */
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { saidOfFailure } from './suite.ts'

interface Program {
  parseAsync(args: readonly string[], options: { from: 'user' }): Promise<unknown>
}

/** The suite's program, names of scenarios, and the other arguments for it. */
const [, , suite = '', names = '', ...args] = process.argv

const end = process.exit
const program = await load(suite)
let failures = 0
for (const name of names.split(',')) {
  if ((await exitCodeOf(program, [...args, '--scenario', name])) === 0) continue
  failures += 1
  console.log(saidOfFailure(name))
}
end(failures > 0 ? 1 : 0)

/** Loads the suite without running it: its program is what it would let parse the command line. */
async function load(path: string): Promise<Program> {
  const { Command } = createRequire(path)('commander')
  let parsing: Program | undefined
  Command.prototype.parse = function parse(this: Program) {
    parsing = this
  }
  await import(pathToFileURL(path).href)
  if (parsing === undefined) throw new Error(`Cannot run scenarios of "${path}": it does not parse its command line`)
  return parsing
}

/** Runs one command of the suite until it would end the process. */
async function exitCodeOf(suite: Program, command: readonly string[]): Promise<number> {
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
