import { defineCommand, type Invocation } from '../command/command.ts'
import { usageFailure } from '../failure/failure.ts'
import { tableLines } from '../output/table.ts'
import { interruption } from '../terminal/interrupt.ts'
import { readHidden } from '../terminal/read-hidden.ts'

/** `trunkline secret`: keeps what configuration refers to and must not hold. */
export const secretCommand = defineCommand({
  name: 'secret',
  group: 'host',
  needs: { '': 'nothing', set: 'person', rm: 'person' },
  summary: 'Stores, lists and removes secrets, which the configuration names as secret:NAME',
  usage: ['[ls]', 'set NAME', 'rm NAME'],
  strayWord: 'Cannot take a secret from the command line: other programs and the history of the shell see it',
  details: [
    'A secret is typed without being shown, or read from stdin. It is never taken from the command line, which other programs and the history of the shell can see. No command prints it.',
    'A server that was waiting for a secret starts when you set it. ls also lists secrets that the configuration refers to but that are not set. Tokens stored by "trunkline login" are not listed; "trunkline logout" removes them.',
  ],
  options: {},
  json: '`{ items: […] }`; set prints `{ name, isReplaced }`, rm `{ removed }`',
  examples: [
    {
      line: 'trunkline secret set github.token',
      shows: 'a hidden prompt; then trunkline.json can say "secret:github.token"',
    },
    { line: 'pass show github | trunkline secret set github.token', shows: 'the same from another program' },
    { line: 'trunkline secret ls', shows: 'the names, where each is used, and which are missing' },
  ],
  async run(invocation) {
    const [verb = 'ls', name] = invocation.words
    if (verb === 'ls') return list(invocation)
    if (name === undefined) throw usageFailure(`Cannot ${verb} a secret: none is named`, howTo)
    const { isSignIn } = await import('@trunkline/host/config')
    if (isSignIn(name)) {
      throw usageFailure(
        `Cannot ${verb} "${name}": what signs you in is kept by login`,
        'Write: trunkline logout SERVER',
      )
    }
    return verb === 'set' ? keep(name, invocation) : remove(name, invocation)
  },
})

const howTo = 'Write: trunkline secret ls, trunkline secret set NAME or trunkline secret rm NAME'

async function list({ output }: Invocation): Promise<undefined> {
  const { Config, findPlaces, listSecrets, thisMachine } = await import('@trunkline/host/config')
  const machine = thisMachine()
  using config = new Config({ places: findPlaces(machine), machine, isAccepted: () => true })
  const items = listSecrets(await config.effective(process.cwd()), await (await keptSecrets()).names())
  const columns = [{ title: 'secret', style: 'name' }, { title: 'state' }, { title: 'used by' }] as const
  const rows = items.map(({ name, isKept, uses: users }) => [
    name,
    isKept ? 'kept' : 'missing',
    users.join(', ') || '-',
  ])
  output.result({ items }, () => (items.length === 0 ? ['No secret is kept'] : tableLines(columns, rows, output.width)))
  return undefined
}

async function keep(name: string, invocation: Invocation): Promise<undefined> {
  const { output } = invocation
  const secrets = await keptSecrets()
  const isReplaced = (await secrets.names()).includes(name)
  await secrets.set(name, await givenSecret(name, invocation))
  const said = isReplaced ? 'Replaced' : 'Kept'
  output.result({ name, isReplaced }, () => [`${said} "${name}": write secret:${name} where it is needed`])
  return undefined
}

async function remove(name: string, { output }: Invocation): Promise<undefined> {
  const secrets = await keptSecrets()
  const { isSignIn } = await import('@trunkline/host/config')
  const names = (await secrets.names()).filter((one) => !isSignIn(one))
  if (!names.includes(name)) {
    const { nearName } = await import('@trunkline/mcp/json-schema')
    const near = nearName(name, names)
    const guess = near === undefined ? 'trunkline secret ls lists them' : `Did you mean "${near}"?`
    throw usageFailure(`Cannot remove "${name}": there is no such secret`, guess)
  }
  await secrets.remove(name)
  output.result({ removed: name }, () => [`Removed "${name}"`])
  return undefined
}

/** The secret typed in a terminal, or all of stdin without its last line end. */
async function givenSecret(name: string, { terminal, signal }: Invocation): Promise<string> {
  if (terminal.isInteractive) {
    const typed = await readHidden(terminal, `${name} (nothing is shown):`, signal)
    if (typed === undefined) throw interruption()
    return typed
  }
  if (terminal.input.isTTY) throw usageFailure('Cannot ask for the secret here: give it on stdin', howTo)
  let text = ''
  for await (const piece of terminal.input.setEncoding('utf8')) {
    text += piece
    if (text.length > maxLength) break
  }
  return text.replace(/\r?\n$/, '')
}

/** More than a secret may have, which then says so. */
const maxLength = 128 * 1024

async function keptSecrets() {
  const { findPlaces, secretFile, thisMachine } = await import('@trunkline/host/config')
  return secretFile(findPlaces(thisMachine()).secretsFile)
}
