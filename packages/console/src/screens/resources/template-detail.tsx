import { useState } from 'react'
import type { Schema } from '../../form/schema.ts'
import { SchemaForm } from '../../form/schema-form.tsx'
import { callHost } from '../../host/call.ts'
import type { CatalogueEntry } from '../../host/queries.ts'
import styles from '../../offers/offers.module.css'
import { RunOutcome } from '../../offers/run-outcome.tsx'
import { useCompletion } from '../../offers/use-completion.ts'
import { useRun } from '../../offers/use-run.ts'
import { Button } from '../../parts/button.tsx'
import { Code } from '../../parts/code.tsx'
import { DetailView } from '../../parts/detail-view.tsx'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import { Said } from '../../text/said.tsx'

type Values = Record<string, string>

/** A template of addresses: its variables, with what the server proposes, and what stands at the address. */
export function TemplateDetail({ template }: { readonly template: CatalogueEntry }) {
  const { server, original, definition } = template
  const [value, setValue] = useState<Values>({})
  const { run, start } = useRun(`template ${server} ${original}`, (_id, input, signal) =>
    callHost('readResource', { server, uri: original, variables: input as Values }, { signal }),
  )
  const complete = useCompletion({ server, template: original }, value)
  return (
    <DetailView
      title={<Said text={String(definition.name ?? original)} oneLine />}
      facts={[
        'template',
        typeof definition.mimeType === 'string' && definition.mimeType,
        <Said key="server" text={server} oneLine />,
      ]}
    >
      {typeof definition.description === 'string' && (
        <ScrollArea className={styles.description} label="Description">
          <Said text={definition.description} />
        </ScrollArea>
      )}
      <Code text={original} label="template" />
      <SchemaForm
        schema={schemaOfTemplate(original)}
        value={value}
        complete={complete}
        showsProblems={false}
        onChange={(next) => setValue(next as Values)}
      />
      <div>
        <Button tone="primary" disabled={run.state === 'running'} onClick={() => void start(value)}>
          Read
        </Button>
      </div>
      <RunOutcome run={run} server={server} name={original} />
    </DetailView>
  )
}

/** The variables of a template as a schema: all of them are text. */
function schemaOfTemplate(template: string): Schema {
  const names = [...template.matchAll(/\{[+#./;?&]?([^}]+)\}/g)].flatMap(([, list = '']) =>
    list.split(',').map((name) => name.replace(/(?:\*|:\d+)$/, '')),
  )
  return { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) }
}
