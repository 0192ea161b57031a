import type { ReactNode } from 'react'

export interface ScrollAreaProps {
  /** Accessible name. */
  readonly label: string
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** A part that scrolls on its own, and so can be reached by keyboard. */
export function ScrollArea({ label, className, children }: ScrollAreaProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls, and a section would be a landmark
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div role="group" className={className} aria-label={label} tabIndex={0}>
      {children}
    </div>
  )
}
