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

/** What the official schema of a revision says of each method, as in `→ asks tools/call`. */
export type Official = ReadonlyMap<string, Judges>

/** Reads the official schema of a revision. */
export function officialOf(revision: string): Official {
  const schema = referee(revision)
  const unions = { '→ asks': 'ClientRequest', '→ tells': 'ClientNotification', '← asks': 'ServerRequest' }
  return new Map(
    Object.entries({ ...unions, '← tells': 'ServerNotification' }).flatMap(([who, union]) =>
      [...schema.methodsIn(union)].map(([name, method]) => [`${who} ${name}`, judgesOf(schema, method)] as const),
    ),
  )
}

/** Compiled when they are first needed, because most are not. */
function judgesOf(schema: Referee, { params, result }: Method): Judges {
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
