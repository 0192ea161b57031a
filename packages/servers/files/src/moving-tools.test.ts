import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Client, connect } from '@trunkline/mcp'
import { sandbox } from '../test/sandbox.ts'
import { filesServer } from './files-server.ts'

const called = async (client: Client, name: string, args: object) => {
  const { isError, structuredContent, content } = await client.tools.call(name, args as never)
  return isError === true ? JSON.stringify(content) : (structuredContent as unknown as { [name: string]: unknown })
}

test('move_path: moves files and directories, names the way back, and refuses what is there or outside', async () => {
  using box = sandbox({ 'a.txt': 'A', 'b.txt': 'B', 'folder/c.txt': 'C' })
  symlinkSync(box.outside, join(box.inside, 'out'))
  await using client: Client = await connect(await filesServer({ directories: [box.inside] }))
  const moved = await called(client, 'move_path', { from: 'a.txt', to: 'new/deep/a.txt' })
  assert.deepEqual(moved, {
    from: 'a.txt',
    to: 'new/deep/a.txt',
    undo: { tool: 'move_path', arguments: { from: 'new/deep/a.txt', to: 'a.txt' } },
  })
  await called(client, 'move_path', { from: 'folder', to: 'new/folder' })
  assert.equal(readFileSync(join(box.inside, 'new/folder/c.txt'), 'utf8'), 'C')
  for (const [from, to, why] of [
    ['new/deep/a.txt', 'b.txt', /something at/],
    ['new', 'new/in/itself', /lie in itself/],
    ['b.txt', '../inside-not/b.txt', /outside/],
    ['b.txt', 'out/b.txt', /outside/],
    ['out/secret.txt', 'mine.txt', /outside/],
    ['.', 'x', /holds a directory of this server|outside/],
    ['nothing', 'x', /there is nothing/],
  ] as const)
    assert.match(`${await called(client, 'move_path', { from, to })}`, why)
  assert.equal(readFileSync(join(box.inside, 'b.txt'), 'utf8'), 'B')
})

test('trash_path: moves into the trash with a note of where it was, never twice under one name, and deletes nothing', async () => {
  using box = sandbox({ 'a.txt': 'A', 'x/a.txt': 'other' })
  symlinkSync(join(box.outside, 'secret.txt'), join(box.inside, 'link'))
  const before = process.env.XDG_DATA_HOME
  process.env.XDG_DATA_HOME = join(box.outside, 'data')
  try {
    await using client: Client = await connect(await filesServer({ directories: [box.inside] }))
    for (const path of ['a.txt', 'x/a.txt', 'link']) await called(client, 'trash_path', { path })
    const trash = join(box.outside, 'data/Trash')
    assert.deepEqual(readdirSync(join(trash, 'files')).sort(), ['a.txt', 'a.txt.1', 'link'])
    assert.match(
      readFileSync(join(trash, 'info/a.txt.1.trashinfo'), 'utf8'),
      /Path=.*\/inside\/x\/a\.txt\nDeletionDate=20/,
    )
    assert.ok(existsSync(join(box.outside, 'secret.txt')))
    assert.match(`${await called(client, 'trash_path', { path: '../inside-not/secret.txt' })}`, /outside/)
    assert.match(`${await called(client, 'trash_path', { path: '.' })}`, /holds a directory of this server|outside/)
  } finally {
    if (before === undefined) delete process.env.XDG_DATA_HOME
    else process.env.XDG_DATA_HOME = before
  }
})
