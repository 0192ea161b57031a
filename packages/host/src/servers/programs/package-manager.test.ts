import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { npm } from './npm.ts'
import { packageCommand } from './package-command.ts'
import type { ManagerError } from './run-manager.ts'
import { uv } from './uv.ts'

const commandOf = (line: string) => {
  const [command = '', ...args] = line.split(' ')
  return packageCommand(command, args, '/') ?? assert.fail(line)
}

describe('npm', () => {
  it('says so when there is no network', async () => {
    const environment = { ...process.env, npm_config_registry: 'http://127.0.0.1:1', npm_config_fetch_retries: '0' }
    await assert.rejects(npm.available(commandOf('npx -y @acme/notes@1'), { cwd: '/', environment }), (error) => {
      assert.ok((error as ManagerError).isOffline)
      assert.match(String(error), /ECONNREFUSED/)
      return true
    })
  })

  it('that is not there is named', async () => {
    const options = { cwd: '/', environment: { PATH: '/nowhere' } }
    await assert.rejects(npm.available(commandOf('npx -y notes'), options), /"npm" is not on the path/)
  })
})

/** A program called uv that acts like the real one for these commands. */
const fakeUv = `#!/bin/sh
case "$1 $2" in
  "tool install") case "$*" in *source-only*) case "$*" in *--no-build*)
      echo "Because source-only has no usable wheels and building from source is disabled" >&2; exit 1;; esac;; esac
    mkdir -p "$UV_TOOL_BIN_DIR"; printf '#!/bin/sh\\n' > "$UV_TOOL_BIN_DIR/mcp-notes"; echo "$@" > "$UV_TOOL_DIR.args" ;;
  "tool list") echo "notes v1.4.0"; echo "- mcp-notes" ;;
  "pip compile") read wanted; echo "\${wanted%%[>=@]*}==1.5.0" ;;
  *) echo "unexpected $*" >&2; exit 1 ;;
esac
`

describe('uv', () => {
  it('installs into a folder of its own and knows the newest version', async () => {
    using folder = temporaryFolder()
    const bin = join(folder.path, 'bin')
    mkdirSync(bin)
    writeFileSync(join(bin, 'uv'), fakeUv, { mode: 0o755 })
    const options = { cwd: '/', environment: { PATH: `${bin}:/usr/bin:/bin` } }
    const command = commandOf('uvx --from notes>=1 mcp-notes --all')
    const own = join(folder.path, 'programs', 'notes')
    const installed = { package: 'notes', version: '1.4.0', path: join(own, 'bin', 'mcp-notes') }
    assert.deepEqual(await uv.unpack(command, own, options), { ...installed, scripts: [] })
    assert.match(readFileSync(join(own, 'tools.args'), 'utf8'), /tool install --quiet --no-build -- notes>=1/)
    assert.equal(await uv.available(command, options), '1.5.0')
  })

  it('builds a package that is source only when a person has agreed, and not before', async () => {
    using folder = temporaryFolder()
    const bin = join(folder.path, 'bin')
    mkdirSync(bin)
    writeFileSync(join(bin, 'uv'), fakeUv, { mode: 0o755 })
    const options = { cwd: '/', environment: { PATH: `${bin}:/usr/bin:/bin` } }
    const command = commandOf('uvx --from source-only mcp-notes')
    const own = join(folder.path, 'programs', 'notes')
    const { scripts, version } = await uv.unpack(command, own, options)
    assert.deepEqual([scripts.map(({ name }) => name), version], [['build'], 'not built yet'])
    assert.ok(!existsSync(join(own, 'bin', 'mcp-notes')))
    assert.equal((await uv.runScripts(command, own, options)).version, '1.4.0')
    assert.ok(existsSync(join(own, 'bin', 'mcp-notes')))
  })
})
