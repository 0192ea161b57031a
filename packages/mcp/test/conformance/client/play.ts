/** Scenarios of the official conformance suite, played by a client. */
import { type Client, connect } from '@trunkline/mcp'
import { type ClientSkills, skills } from '@trunkline/mcp/skills'
import { revisions } from '@trunkline/mcp/testing'
import { authorizerFor } from './auth.ts'
import type { Start } from './start.ts'

type Part = (mcp: Client & { readonly skills: ClientSkills }, context: string) => Promise<unknown>

const plays: { readonly [scenario: string]: Part } = {
  initialize: async () => {},
  'request-metadata': (mcp) => mcp.ping(),
  'json-schema-ref-no-deref': (mcp) => mcp.tools.list().all(),
  tools_call: (mcp) => mcp.tools.call('add_numbers', { a: 5, b: 3 }),
  'sse-retry': callAll,
  'elicitation-sep1034-client-defaults': callAll,
  'sep-2322-client-request-state': callAll,
  'http-invalid-tool-headers': callAll,
  'http-standard-headers': useAll,
  'http-custom-headers': callAsTold,
  'json-schema-2020-12-preservation': sendSchemaBack,
  'sep-2640-client-no-prefetch': ({ skills }) => skills.list().all(),
  'sep-2640-client-verify-digest': useSkills,
  'sep-2640-client-verify-size': useSkills,
  'sep-2640-client-verify-frontmatter': useSkills,
}

/** Does what a scenario asks for; throws what ends the client. */
export async function play({ url, scenario, newest, context }: Start): Promise<void> {
  const part = scenario.startsWith('auth/') ? callAll : plays[scenario]
  if (!part) throw new Error(`Cannot play "${scenario}": no such scenario`)
  await using mcp = await connect(new URL(url), {
    revisions: revisions.filter((revision) => revision <= newest),
    elicitation: () => ({ action: 'accept', content: {} }),
    sampling: () => ({ role: 'assistant', model: 'none', content: { type: 'text', text: 'Hello' } }),
    roots: [{ uri: 'file:///conformance' }],
    auth: authorizerFor(scenario, JSON.parse(context)),
    extensions: [skills()],
  })
  await part(mcp, context)
}

/** Loads every skill and reads all of its files; what cannot be verified ends the program. */
async function useSkills({ skills }: { readonly skills: ClientSkills }): Promise<void> {
  for await (const entry of skills.list()) {
    const skill = await skills.load(entry)
    for (const path of skill.files) await skill.read(path)
  }
}

async function callAll(mcp: Client): Promise<void> {
  const tools = await mcp.tools.list().all()
  await Promise.all(tools.map(({ name }) => mcp.tools.call(name, {})))
}

async function useAll(mcp: Client): Promise<void> {
  await callAll(mcp)
  for await (const { uri } of mcp.resources.list()) await mcp.resources.read(uri)
  for await (const { name } of mcp.prompts.list()) await mcp.prompts.get(name, {})
}

async function callAsTold(mcp: Client, context: string): Promise<void> {
  const { toolCalls } = JSON.parse(context) as { toolCalls: readonly { name: string; arguments: object }[] }
  await mcp.tools.list().all()
  for (const { name, arguments: input } of toolCalls) await mcp.tools.call(name, input)
}

async function sendSchemaBack(mcp: Client): Promise<void> {
  for await (const { name, inputSchema } of mcp.tools.list()) {
    if (name === 'json_schema_2020_12_tool') await mcp.tools.call('json_schema_echo', { schema: inputSchema })
  }
}
