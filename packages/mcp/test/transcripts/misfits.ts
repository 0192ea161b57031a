import type { Fields } from '../../src/wire/messages.ts'
import { type Method, type Referee, referee } from '../differential/referee.ts'

type Judge = (value: unknown) => boolean

interface Judges {
  readonly params: Judge
  readonly result: Judge
}

/** The messages of a transcript that the official schema of its revision does not allow. */
export function misfits(transcript: string, official: Official): readonly string[] {
  const asked = new Map<string, Judges>()
  const lines = transcript.split('\n').filter((line) => line.startsWith('→') || line.startsWith('←'))
  return lines.filter((line) => {
    const [from, to] = line.startsWith('→') ? ['→', '←'] : ['←', '→']
    const { id, method, params = {}, result } = JSON.parse(line.slice(2)) as Fields
    if (typeof method === 'string') {
      const judges = official.get(`${from} ${id === undefined ? 'tells' : 'asks'} ${method}`)
      if (judges) asked.set(`${from} ${id}`, judges)
      return !judges?.params(params)
    }
    const judges = asked.get(`${to} ${id}`)
    return !judges || (result !== undefined && !judges.result(result))
  })
}

/** Official schemas of a revision for each method, as in `→ asks tools/call`. */
export type Official = ReadonlyMap<string, Judges>

/** Reads the official schema of a revision. */
export function officialOf(revision: string): Official {
  const schema = referee(revision)
  const unions = { '→ asks': 'ClientRequest', '→ tells': 'ClientNotification', '← asks': 'ServerRequest' }
  const own = new Map(
    Object.entries({ ...unions, '← tells': 'ServerNotification' }).flatMap(([who, union]) =>
      [...schema.methodsIn(union)].map(([name, method]) => [`${who} ${name}`, judgesOf(schema, method)] as const),
    ),
  )
  // a revision that has no tasks itself has them as an extension, if at all
  return withSkills(own.has('→ asks tasks/get') ? own : withTasks(own), schema)
}

/** Adds the rules in the text of the skills extension; there is no official schema of it. */
function withSkills(own: Official, schema: Referee): Official {
  const text = { type: 'string' }
  const object = (properties: Fields) => ({ type: 'object', properties, required: Object.keys(properties) })
  const file = object({
    uri: text,
    digest: { type: 'string', pattern: '^sha256:[0-9a-f]{64}$' },
    size: { type: 'integer' },
  })
  const skill = object({
    uri: { type: 'string', pattern: '/SKILL\\.md$' },
    frontmatter: object({ name: text, description: text }),
    resources: { type: 'array', items: file },
  })
  const hint = own.has('→ asks server/discover') ? { ttlMs: { type: 'integer' }, cacheScope: text } : {}
  const rows = {
    'skills/list': [object({}), object({ skills: { type: 'array', items: skill }, ...hint })],
    'skills/get': [object({ uri: text }), object({ skill, ...hint })],
    'resources/directory/read': [
      object({ uri: text }),
      object({ resources: { type: 'array', items: object({ uri: text, name: text }) } }),
    ],
  } as const
  const judged = Object.entries(rows).map(([method, [params, result]]) => {
    return [`→ asks ${method}`, judgesOf(schema, { params, result })] as const
  })
  return new Map([...own, ...judged])
}

/** Adds the official schema of the tasks extension. */
function withTasks(own: Official): Official {
  const schema = referee('ext-tasks')
  const judge = (definition: string): Judge => schema.judge({ $ref: `#/$defs/${definition}` })
  const rows = ['Get', 'Update', 'Cancel'].map((verb) => {
    const method = `tasks/${verb.toLowerCase()}`
    const request = judge(`${verb}TaskRequest`)
    const params: Judge = (value) => request({ jsonrpc: '2.0', id: 0, method, params: value })
    return [`→ asks ${method}`, { params, result: judge(`${verb}TaskResult`) }] as const
  })
  const call = own.get('→ asks tools/call')
  const created = judge('CreateTaskResult')
  if (!call) return own
  const result: Judge = (value) => call.result(value) || created(value)
  return new Map([...own, ...rows, ['→ asks tools/call', { params: call.params, result }]])
}

/** Compiled when they are first needed, because most are not. */
function judgesOf(schema: Referee, { params, result }: Pick<Method, 'params' | 'result'>): Judges {
  let judgeParams: Judge | undefined
  let judgeResult: Judge | undefined
  return {
    params(value) {
      judgeParams ??= schema.judge(params)
      return judgeParams(value)
    },
    result(value) {
      judgeResult ??= schema.judge(result)
      return judgeResult(value)
    },
  }
}
