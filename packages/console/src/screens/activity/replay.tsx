import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { checkValue } from '../../form/check.ts'
import { isSchema } from '../../form/schema.ts'
import { callHost } from '../../host/call.ts'
import { type CatalogueEntry, catalogueQuery } from '../../host/queries.ts'
import { InputEditor } from '../../offers/input-editor.tsx'
import { RunOutcome } from '../../offers/run-outcome.tsx'
import { SavedRequests } from '../../offers/saved-requests.tsx'
import { useRun } from '../../offers/use-run.ts'
import { Button } from '../../parts/button.tsx'
import { Notice } from '../../parts/notice.tsx'

export interface ReplayProps {
  readonly server: string
  readonly tool: string
  /** Arguments as they were sent; undefined where they were not kept. */
  readonly recorded: unknown
}

/** Makes a recorded call once more, as it was or edited; it is a new act, and the policy judges it. */
export function Replay({ server, tool, recorded }: ReplayProps) {
  const { data } = useQuery(catalogueQuery)
  const entry = data?.items.find((one) => one.kind === 'tool' && one.server === server && one.original === tool)
  if (!data) return null
  if (!entry) return <Notice tone="warn">The server does not offer this tool any more.</Notice>
  return <ReplayForm entry={entry} recorded={recorded} />
}

type Arguments = Record<string, unknown>

function ReplayForm({ entry, recorded }: { readonly entry: CatalogueEntry; readonly recorded: unknown }) {
  const { server, original, definition } = entry
  const schema = isSchema(definition.inputSchema) ? definition.inputSchema : {}
  const [value, setValue] = useState<Arguments>(() => (isFields(recorded) ? recorded : {}))
  const [wasTried, setTried] = useState(false)
  const [isBroken, setBroken] = useState(false)
  const { run, start, cancel } = useRun(`tool ${server} ${original}`, (id, input, signal) =>
    callHost('callTool', { server, tool: original, run: id, arguments: input }, { signal }),
  )
  const isWrong = isBroken || checkValue(value, schema).size > 0
  const hasMasked = JSON.stringify(value).includes('[masked]')
  return (
    <>
      {!isFields(recorded) && <Notice>The arguments were not kept; fill them in.</Notice>}
      {hasMasked && (
        <Notice tone="warn">Secrets were masked before they were kept: write them in place of [masked].</Notice>
      )}
      <InputEditor schema={schema} value={value} showsProblems={wasTried} onChange={setValue} onBroken={setBroken} />
      <div className="buttons">
        <Button
          tone="primary"
          disabled={run.state === 'running'}
          onClick={() => {
            setTried(true)
            if (!isWrong) void start(value)
          }}
        >
          Run again
        </Button>
        {run.state === 'running' && <Button onClick={cancel}>Cancel</Button>}
        {wasTried && isWrong && <span>Fix what is marked first.</span>}
      </div>
      <SavedRequests server={server} tool={original} value={value} onChoose={setValue} />
      <RunOutcome run={run} server={server} name={original} />
    </>
  )
}

function isFields(value: unknown): value is Arguments {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
