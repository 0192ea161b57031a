import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, describe, it } from 'node:test'
import { lacking } from '../../../../tools/lib/needs.ts'
import { commandPath } from '../command-path.ts'
import { hasProgram } from '../has-program.ts'
import { programInTerminal } from '../tmux.ts'
import { acceptServer, apiOf } from './host-api.ts'
import { type HostHome, hostHome, upstreamEntry } from './host-home.ts'

async function candidates(at: HostHome, line: string): Promise<readonly string[]> {
  const { stdout } = await at.run('completion', '--line', line)
  return stdout
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => text.split('\t', 1)[0] ?? '')
}

const entries = { shop: upstreamEntry, 'sh-two': upstreamEntry, notes: { url: 'https://example.com/mcp' } }

/** The files that make each shell complete, and how each is started without those of this machine. */
const shells = {
  bash: { file: '.bashrc', setup: 'source <(trunkline completion bash)', words: ['bash', '--noprofile', '-i'] },
  zsh: {
    file: '.zshrc',
    setup: 'autoload -U compinit; compinit -u; source <(trunkline completion zsh)',
    words: ['zsh', '-i'],
  },
  fish: { file: '.config/fish/config.fish', setup: 'trunkline completion fish | source', words: ['fish', '-i'] },
} as const

describe('completion of what is configured', () => {
  // in this order: the first one starts the host that the shells ask
  const at = hostHome()
  const bin = join(at.home, 'bin')
  mkdirSync(bin)
  symlinkSync(commandPath, join(bin, 'trunkline'))
  // otherwise fish reads all manual pages of this machine when it starts for the first time
  mkdirSync(join(at.home, '.local/share/fish/generated_completions'), { recursive: true })
  after(() => at[Symbol.asyncDispose]())

  it('names servers with and without a running host, verbs, clients, tools and arguments', async () => {
    at.configure({ mcpServers: entries })
    assert.deepEqual(await candidates(at, 'trunkline call sh'), ['shop', 'sh-two'])
    assert.deepEqual(await candidates(at, 'trunkline status n'), ['notes'])
    assert.deepEqual(await candidates(at, 'trunkline tidy shop no'), ['notes'])
    assert.deepEqual(await candidates(at, 'trunkline policy dr'), ['dry-run'])
    assert.deepEqual(await candidates(at, 'trunkline service '), ['install', 'uninstall', 'status'])
    assert.ok((await candidates(at, 'trunkline install c')).includes('claude-code'))
    assert.deepEqual(await candidates(at, 'trunkline policy explain no'), ['notes:'])
    await at.up()
    await acceptServer(apiOf(at), 'shop')
    assert.deepEqual(await candidates(at, 'trunkline accept sh'), ['shop', 'sh-two'])
    assert.deepEqual(await candidates(at, 'trunkline call shop w'), ['write', 'wait'])
    assert.deepEqual(await candidates(at, 'trunkline call shop write '), ['text='])
    assert.deepEqual(await candidates(at, 'trunkline policy explain shop:w'), ['shop:write', 'shop:wait'])
    assert.deepEqual(await candidates(at, 'trunkline call none '), [])
  })

  for (const [name, { file, setup, words }] of Object.entries(shells)) {
    it(`${name} completes a server, a tool and an argument at a real prompt`, {
      skip: lacking('shells', hasProgram('tmux', ...words.slice(0, 1))),
    }, async () => {
      mkdirSync(dirname(join(at.home, file)), { recursive: true })
      writeFileSync(join(at.home, file), `${setup}\n`)
      const PATH = `${bin}:${dirname(process.execPath)}:${process.env.PATH}`
      await using terminal = await programInTerminal(words, { HOME: at.home, ZDOTDIR: at.home, PATH, PS1: 'ready> ' })
      await terminal.until(/[>%$#] *$/m)
      await terminal.type('trunkline call sho', 'Tab')
      await terminal.until(/trunkline call shop /)
      await terminal.type('wr', 'Tab')
      await terminal.until(/trunkline call shop write /)
      await terminal.type('te', 'Tab')
      const shown = await terminal.until(/trunkline call shop write text=/)
      assert.doesNotMatch(shown, /^exit:|command not found|no such/im)
    })
  }
})
