import { Button } from './button.tsx'
import { type PlannedChange, ShownChange } from './shown-change.tsx'

export interface WriteChangeProps {
  /** The change, once it was planned. */
  readonly change: (PlannedChange & { readonly digest: string }) | undefined
  readonly isPlanning: boolean
  readonly isWriting: boolean
  /** Writes the change with this digest, and no other. */
  onWrite(digest: string): void
  onCancel(): void
}

/** End of a form that changes a file: first the button that shows the change, then the change with those that write or leave it. */
export function WriteChange({ change, isPlanning, isWriting, onWrite, onCancel }: WriteChangeProps) {
  if (!change)
    return (
      <div>
        <Button tone="primary" type="submit" disabled={isPlanning}>
          Show what changes
        </Button>
      </div>
    )
  return (
    <ShownChange change={change}>
      <Button tone="primary" disabled={isWriting} onClick={() => onWrite(change.digest)}>
        Write this change
      </Button>
      <Button tone="quiet" onClick={onCancel}>
        Cancel
      </Button>
    </ShownChange>
  )
}
