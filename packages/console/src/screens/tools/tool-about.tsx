import type { CatalogueEntry } from '../../host/queries.ts'
import styles from '../../offers/offers.module.css'
import { Badge } from '../../parts/badge.tsx'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import { plural } from '../../text/plural.ts'
import { Said } from '../../text/said.tsx'

const tones = { reads: 'good', writes: 'warn', destroys: 'bad', unknown: 'plain' } as const

/** Tool's own description, and the person's decisions about it. */
export function ToolAbout({ tool }: { readonly tool: CatalogueEntry }) {
  const { server, name, definition, tokens, callsIn30Days } = tool
  const { title, description, annotations } = definition
  return (
    <div className={styles.about}>
      <div className={styles.chips}>
        <Badge tone={tones[tool.class]}>{tool.class}</Badge>
        <Badge>{server}</Badge>
        <Badge>{plural(tokens, 'token')}</Badge>
        <Badge>{plural(callsIn30Days, 'call')} in 30 days</Badge>
        {hintsOf(annotations).map((hint) => (
          <Badge key={hint}>{hint}</Badge>
        ))}
      </div>
      {typeof title === 'string' && (
        <p>
          <Said text={title} />
        </p>
      )}
      {typeof description === 'string' && (
        <ScrollArea className={styles.description} label="Description">
          <Said text={description} />
        </ScrollArea>
      )}
      <p className={styles.faint}>
        Clients call it <code>{name}</code>
      </p>
    </div>
  )
}

const hints: ReadonlyMap<string, string> = new Map([
  ['readOnlyHint', 'says it only reads'],
  ['destructiveHint', 'says it destroys'],
  ['idempotentHint', 'says it can be repeated'],
  ['openWorldHint', 'says it reaches out'],
])

/** Hints of a server are shown as what it says, and loosen nothing. */
function hintsOf(annotations: unknown): readonly string[] {
  if (typeof annotations !== 'object' || annotations === null) return []
  return Object.entries(annotations).flatMap(([hint, value]) => (value === true ? [hints.get(hint) ?? []].flat() : []))
}
