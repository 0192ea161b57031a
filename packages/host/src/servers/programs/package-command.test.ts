import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { packageCommand } from './package-command.ts'

const read = (line: string, cwd = '/work') => {
  const [command = '', ...args] = line.split(' ')
  const found = packageCommand(command, args, cwd)
  return found && [found.manager, found.wanted, found.program, found.args.join(' ')]
}

describe('packageCommand', () => {
  it('knows the package of npx and the arguments it passes on', () => {
    assert.deepEqual(read('npx -y @acme/notes@^1 --root /tmp'), ['npm', '@acme/notes@^1', undefined, '--root /tmp'])
    assert.deepEqual(read('/usr/bin/npx --yes -- notes'), ['npm', 'notes', undefined, ''])
    assert.deepEqual(read('npx -y -p @acme/all notes -y'), ['npm', '@acme/all', 'notes', '-y'])
    assert.deepEqual(read('npx -y --package=@acme/all notes'), ['npm', '@acme/all', 'notes', ''])
  })

  it('knows the package of uvx', () => {
    assert.deepEqual(read('uvx mcp-server-git --repo x'), ['uv', 'mcp-server-git', 'mcp-server-git', '--repo x'])
    assert.deepEqual(read('uvx mcp-server-git@1.2'), ['uv', 'mcp-server-git==1.2', 'mcp-server-git', ''])
    assert.deepEqual(read('uvx --from git-tools>=2 mcp-git'), ['uv', 'git-tools>=2', 'mcp-git', ''])
  })

  it('makes paths mean the same wherever they are read', () => {
    assert.equal(read('npx -y ./notes.tgz')?.[1], '/work/notes.tgz')
    assert.equal(read('npx -y file:../notes.tgz')?.[1], '/notes.tgz')
  })

  it('leaves alone commands that it cannot follow exactly', () => {
    for (const line of [
      'node server.js',
      'npx',
      'npx -y',
      'npx -c notes',
      'npx --unknown notes',
      'npx --yes=no notes',
    ]) {
      assert.equal(read(line), undefined, line)
    }
  })
})
