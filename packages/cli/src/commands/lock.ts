import { defineCommand, type Invocation } from '../command/command.ts'
import { onlyOptions } from '../command/only-options.ts'
import { type ExitCode, exitCodes } from '../failure/exit-codes.ts'
import { Failure } from '../failure/failure.ts'
import { openHost } from '../host/host-link.ts'
import { githubLines, junitLines, type LockFinding, lockExit, verifyLines } from '../host/lock-report.ts'

const options = {
  start: { type: 'boolean', summary: 'verify: start the servers without a host, for use in CI' },
  format: {
    type: 'string',
    value: 'FORMAT',
    summary: 'verify: the format of the report',
    choices: ['github', 'junit'],
  },
} as const

/** `trunkline lock`: writes what was accepted beside the configuration, and tells whether it still holds. */
export const lockCommand = defineCommand({
  name: 'lock',
  group: 'host',
  needs: 'nothing',
  summary: 'Writes what you accepted to trunkline.lock, or verifies that it still matches',
  usage: ['', 'verify'],
  details: [
    'A trunkline.lock stands beside the trunkline.json of each layer. It holds the command and version of each server, and the hash and class of every accepted definition, one per line. It is written when you accept something, and by this command. A lock that comes with a project can only make things stricter.',
    'The exit code of "verify" is 0 when everything matches, 10 when something changed, 11 when something is new, and 12 when it cannot be determined. With --start, a package is fetched as its command would fetch it, and started only if its version and integrity are the locked ones; a server that is not in the lock is not started.',
  ],
  options,
  json: '`{ locks: [{ file, servers, isChanged }] }`; verify prints `{ findings: […] }`',
  examples: [
    { line: 'trunkline lock', shows: 'which locks were written' },
    { line: 'trunkline lock verify', shows: 'what differs from the lock' },
    {
      line: 'trunkline lock verify --start --format github',
      shows: 'the same in CI, as annotations',
    },
  ],
  async run(invocation) {
    const { words, output } = invocation
    if (words[0] === 'verify') return verify(invocation)
    onlyOptions(invocation.options, { verb: 'lock', takes: [] })
    const { call } = await openHost()
    const { items: locks } = await call('lock')
    output.result({ locks }, () =>
      locks.length === 0
        ? ['No server is configured, so there is nothing to lock']
        : locks.map(({ file, servers, isChanged }) => {
            const what = servers.length === 0 ? 'no server' : servers.join(', ')
            return `${file} ${isChanged ? 'was written' : 'is up to date'}: ${what}`
          }),
    )
    return undefined
  },
})

async function verify({ options: given, output }: Invocation<typeof options>): Promise<ExitCode> {
  const findings = given.start ? await started() : await known()
  if (given.format === undefined) output.result({ findings }, () => verifyLines(findings))
  else output.result({ findings }, () => (given.format === 'github' ? githubLines(findings) : junitLines(findings)))
  return lockExit(findings)
}

async function started(): Promise<readonly LockFinding[]> {
  const { verifyStarted } = await import('@trunkline/host')
  return verifyStarted(process.cwd())
}

async function known(): Promise<readonly LockFinding[]> {
  try {
    const { call } = await openHost()
    return (await call('verifyLock')).items
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'NoHost') throw error
    throw new Failure('It cannot be told whether the lock holds: no host runs', {
      code: 'NoHost',
      exit: exitCodes.lockUnknown,
      hint: 'Start it (trunkline up), or let this command start the servers (--start)',
    })
  }
}
