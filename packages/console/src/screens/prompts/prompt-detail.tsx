import { useState } from 'react'
import { checkValue } from '../../form/check.ts'
import type { Schema } from '../../form/schema.ts'
import { SchemaForm } from '../../form/schema-form.tsx'
import { callHost } from '../../host/call.ts'
import type { CatalogueEntry } from '../../host/queries.ts'
import { draftOf, keepDraft } from '../../offers/drafts.ts'
import { HistoryPanel } from '../../offers/history-panel.tsx'
import styles from '../../offers/offers.module.css'
import { RunOutcome } from '../../offers/run-outcome.tsx'
import { useCompletion } from '../../offers/use-completion.ts'
import { useRun } from '../../offers/use-run.ts'
import { Button } from '../../parts/button.tsx'
import { DetailView } from '../../parts/detail-view.tsx'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import { plural } from '../../text/plural.ts'
import { Said } from '../../text/said.tsx'

type Values = Record<string, string>

/** One prompt: its arguments, with what the server proposes for them, and what it becomes. */
export function PromptDetail({ prompt }: { readonly prompt: CatalogueEntry }) {
  const { server, original, definition } = prompt
  const key = `prompt ${server} ${original}`
  const schema = schemaOfPrompt(definition.arguments)
  const [value, setValue] = useState(() => (draftOf(key) ?? {}) as Values)
  const [wasTried, setTried] = useState(false)
  const { run, start, cancel, show } = useRun(key, (_id, input, signal) =>
    callHost('getPrompt', { server, prompt: original, arguments: input as Values }, { signal }),
  )
  const complete = useCompletion({ server, prompt: original }, value)
  const change = (next: Values) => {
    setValue(next)
    keepDraft(key, next)
  }
  return (
    <>
      <DetailView
        title={<Said text={original} oneLine />}
        facts={[
          <Said key="server" text={server} oneLine />,
          plural(Object.keys(schema.properties ?? {}).length, 'argument'),
        ]}
      >
        {typeof definition.description === 'string' && (
          <ScrollArea className={styles.description} label="Description">
            <Said text={definition.description} />
          </ScrollArea>
        )}
        <SchemaForm
          schema={schema}
          value={value}
          showsProblems={wasTried}
          complete={complete}
          onChange={(next) => change(next as Values)}
        />
        <div className="buttons">
          <Button
            tone="primary"
            disabled={run.state === 'running'}
            onClick={() => {
              setTried(true)
              if (checkValue(value, schema).size === 0) void start(value)
            }}
          >
            Fill in
          </Button>
          {run.state === 'running' && <Button onClick={cancel}>Cancel</Button>}
        </div>
        <RunOutcome run={run} server={server} name={original} />
      </DetailView>
      <HistoryPanel
        of={key}
        onChoose={({ input, answer }) => {
          change(input as Values)
          show(answer)
        }}
        onRunAgain={({ input }) => {
          change(input as Values)
          void start(input)
        }}
      />
    </>
  )
}

/** The arguments of a prompt as a schema: all of them are text. */
function schemaOfPrompt(given: unknown): Schema {
  const all = (Array.isArray(given) ? given : []).filter((one) => typeof one?.name === 'string')
  return {
    type: 'object',
    properties: Object.fromEntries(
      all.map(({ name, title, description }) => [name, { type: 'string', title, description }]),
    ),
    required: all.filter(({ required }) => required === true).map(({ name }) => name),
  }
}
