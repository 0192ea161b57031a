import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { apps } from '../../src/apps.ts'
import type { Client } from '../../src/index.ts'
import { type ClientSkills, skills } from '../../src/skills.ts'
import { InvalidParams } from '../../src/wire/errors.ts'
import { skillFiles } from '../fixtures/skills.ts'
import { verifies } from './verifies.ts'

const skillsId = 'io.modelcontextprotocol/skills'
const viewType = 'text/html;profile=mcp-app'
const showsViews = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [viewType] } } }

const fileOf = (path: string) => {
  const bytes = readFileSync(new URL(`skills/${path}`, skillFiles))
  const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`
  return { uri: `skill://${path}`, digest, size: bytes.length }
}
const brewing = {
  uri: 'skill://brewing/SKILL.md',
  frontmatter: { name: 'brewing', description: 'Brews coffee. Use it when somebody is tired.' },
  resources: [fileOf('brewing/SKILL.md'), fileOf('brewing/recipes/cortado.md')],
}

verifies('skills: declared', async ({ open }) => {
  const { capabilities } = await open('skills', { extensions: [skills()] })
  assert.deepEqual(capabilities.extensions, { [skillsId]: { directoryRead: true } })
  assert.ok(capabilities.resources)
})

verifies('skills: listed', async ({ raw }) => {
  const end = await raw('skills')
  const first = await end.result('skills/list', {})
  assert.deepEqual(first.skills, [brewing])
  const { skills: second, nextCursor } = await end.result('skills/list', { cursor: first.nextCursor })
  const [cleaning] = second as readonly { frontmatter: object }[]
  assert.deepEqual(cleaning?.frontmatter, {
    name: 'cleaning',
    description: 'Cleans the machine.',
    metadata: { every: 'day' },
  })
  assert.equal(nextCursor, undefined)
})

verifies('skills: one by one', async ({ raw }) => {
  const end = await raw('skills')
  assert.deepEqual((await end.result('skills/get', { uri: brewing.uri })).skill, brewing)
  for (const uri of ['skill://brewing', 'skill://nowhere/SKILL.md', 'skill://brewing/../brewing/SKILL.md'])
    assert.equal((await end.refusal('skills/get', { uri })).code, InvalidParams)
})

verifies('skills: directories', async ({ raw }) => {
  const end = await raw('skills')
  const { resources } = await end.result('resources/directory/read', { uri: 'skill://kitchen/cleaning' })
  assert.deepEqual(
    (resources as readonly { uri: string }[]).map(({ uri }) => uri),
    ['skill://kitchen/cleaning/SKILL.md'],
  )
  for (const uri of [brewing.uri, 'skill://nowhere'])
    assert.equal((await end.refusal('resources/directory/read', { uri })).code, InvalidParams)
})

verifies('skills: verified', async ({ open }) => {
  const client = (await open('skills', { extensions: [skills()] })) as Client & { readonly skills: ClientSkills }
  const skill = await client.skills.load(brewing.uri)
  assert.equal(skill.body, '\nFollow `recipes/cortado.md`.\n')
  assert.equal((await skill.read('recipes/cortado.md')).text, 'Equal parts.\n')
})

verifies('apps: linked', async ({ open }) => {
  const client = await open('apps', { extensions: [apps()] })
  const [menu, order] = await client.tools.list().all()
  assert.deepEqual(menu?._meta, { ui: { resourceUri: 'ui://cafe/menu' } })
  assert.deepEqual(order?._meta, { ui: { resourceUri: 'ui://cafe/menu', visibility: ['app'] } })
  const { contents } = await client.resources.read('ui://cafe/menu')
  const ui = { csp: { connectDomains: ['https://cafe.example.com'] } }
  assert.deepEqual(contents, [{ uri: 'ui://cafe/menu', mimeType: viewType, text: '<p>Menu', _meta: { ui } }])
})

verifies('apps: for views alone', async ({ open, raw }) => {
  const names = async (end: Awaited<ReturnType<typeof raw>>) =>
    ((await end.result('tools/list', {})).tools as readonly { name: string }[]).map(({ name }) => name)
  assert.deepEqual(await names(await raw('apps')), ['menu'])
  assert.deepEqual(await names(await raw('apps', { capabilities: showsViews })), ['menu', 'order'])
  const client = await open('apps', { extensions: [apps()] })
  assert.deepEqual((await client.tools.call('order', {})).content, [{ type: 'text', text: 'ordered' }])
})
