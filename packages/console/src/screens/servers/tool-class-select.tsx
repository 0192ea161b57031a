import { useMutation } from '@tanstack/react-query'
import { callHost } from '../../host/call.ts'
import type { CatalogueEntry } from '../../host/queries.ts'

const classes = ['reads', 'writes', 'destroys', 'unknown'] as const

/** The class of a tool, which a person decides. */
export function ToolClassSelect({ tool: { server, original, class: now } }: { readonly tool: CatalogueEntry }) {
  const change = useMutation({
    mutationFn: (decided: CatalogueEntry['class']) =>
      callHost('changeEntry', { server, tool: original, class: decided }),
  })
  return (
    <select
      aria-label={`Class of ${original}`}
      value={change.variables ?? now}
      onChange={({ target }) => change.mutate(target.value as CatalogueEntry['class'])}
    >
      {classes.map((one) => (
        <option key={one}>{one}</option>
      ))}
    </select>
  )
}
