import type { Question } from '../host/queries.ts'
import { Badge } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import { Code } from '../parts/code.tsx'
import { Diff } from '../parts/diff.tsx'
import { Notice } from '../parts/notice.tsx'
import { prettyJson, textOfValue } from '../text/json.ts'
import { plural } from '../text/plural.ts'
import { Said } from '../text/said.tsx'
import { AnswerBar } from './answer-bar.tsx'
import styles from './questions.module.css'
import { useAnswer } from './use-answer.ts'

interface ChangedEntry {
  readonly kind: string
  readonly name: string
  readonly standing: string
  readonly class: string
  readonly changes: readonly {
    readonly at: string
    readonly before: unknown
    readonly after: unknown
    readonly why: string
  }[]
  readonly findings: readonly { readonly at?: string; readonly why?: string; readonly found?: string }[]
  readonly definition: unknown
}

/** Offers of a server now, compared with the accepted ones. */
export function DefinitionQuestion({ question: { id, detail } }: { readonly question: Question }) {
  const entries = (Array.isArray(detail.entries) ? detail.entries : []) as readonly ChangedEntry[]
  const answer = useAnswer(id)
  return (
    <>
      <Findings entries={entries} />
      <p className={styles.why}>Until you accept, callers see what you accepted before; what is new stays hidden.</p>
      {entries.map((entry) => (
        <Entry key={`${entry.kind} ${entry.name}`} entry={entry} />
      ))}
      <AnswerBar answer={answer} refusal="Keep what I accepted">
        <Button tone="primary" disabled={answer.isPending} onClick={() => answer.mutate({ choice: 'once' })}>
          Accept all of this
        </Button>
      </AnswerBar>
    </>
  )
}

/** Everything that the scanner found, before anything else: each with the offer it is in. */
function Findings({ entries }: { readonly entries: readonly ChangedEntry[] }) {
  const all = entries.flatMap(({ name, findings }) => findings.map((finding) => ({ name, finding })))
  if (all.length === 0) return null
  return (
    <Notice tone="bad">
      <strong>{plural(all.length, 'finding')} of the scanner</strong>
      <ul>
        {all.map(({ name, finding: { at, why, found, ...rest } }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: findings have no other identity
          <li key={index}>
            <code>
              <Said text={[name, at].filter(Boolean).join(' ')} oneLine />
            </code>{' '}
            <Said text={why ?? found ?? JSON.stringify(rest)} />
          </li>
        ))}
      </ul>
    </Notice>
  )
}

function Entry({
  entry: { kind, name, standing, class: proposed, changes, definition },
}: {
  readonly entry: ChangedEntry
}) {
  return (
    <section className={`${styles.part} ${styles.entry}`}>
      <h3>
        <Said text={name} oneLine /> <Badge tone={standing === 'new' ? 'accent' : 'warn'}>{standing}</Badge>{' '}
        <Badge>{kind === 'tool' ? `will count as ${proposed}` : kind}</Badge>
      </h3>
      {standing === 'new' && <Code text={prettyJson(definition)} label={`definition of ${name}`} />}
      {changes.map(({ at, before, after, why }) => (
        <div key={at} className={styles.change}>
          <span className={styles.why}>
            <Said text={why} /> <code>{at}</code>
          </span>
          <Diff before={textOfValue(before)} after={textOfValue(after)} label={`Change at ${at}`} />
        </div>
      ))}
    </section>
  )
}
