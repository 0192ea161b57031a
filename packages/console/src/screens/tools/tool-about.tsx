import type { ReactNode } from 'react'
import type { CatalogueEntry } from '../../host/queries.ts'
import styles from '../../offers/offers.module.css'
import { Badge } from '../../parts/badge.tsx'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import { plural } from '../../text/plural.ts'
import { Said } from '../../text/said.tsx'

const tones = { reads: 'good', writes: 'warn', destroys: 'bad', unknown: 'plain' } as const

/** Facts about a tool on one line: its class, its server, its use, and what it says of itself. */
export function toolFacts(tool: CatalogueEntry): readonly ReactNode[] {
  const { server, definition, tokens, callsIn30Days } = tool
  return [
    <Badge key="class" tone={tones[tool.class]}>
      {tool.class}
    </Badge>,
    <Said key="server" text={server} oneLine />,
    `${plural(callsIn30Days, 'call')} in 30 days`,
    plural(tokens, 'token'),
    ...hintsOf(definition.annotations),
  ]
}

/** Tool's own description, and its name for clients. */
export function ToolAbout({ tool: { name, definition } }: { readonly tool: CatalogueEntry }) {
  const { title, description } = definition
  return (
    <div className={styles.about}>
      {typeof title === 'string' && title !== '' && (
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
