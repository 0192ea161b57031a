import { Dialog } from '@base-ui/react/dialog'
import { type KeyboardEvent, useDeferredValue, useId, useMemo, useState } from 'react'
import { useStore } from '../../host/store.ts'
import { Said } from '../../text/said.tsx'
import { doAndTell } from '../outcome.ts'
import { paletteOpen, paletteText } from '../palette-open.ts'
import type { PaletteItem } from './item.ts'
import styles from './palette.module.css'
import { findItems, placeWithin } from './search.ts'
import { usePaletteItems } from './use-items.ts'

/** Finds anything and does anything, by keyboard alone. */
export function Palette() {
  const text = useStore(paletteText)
  const [place, setPlace] = useState(0)
  const items = usePaletteItems()
  const wanted = useDeferredValue(text)
  const found = useMemo(() => findItems(items, wanted), [items, wanted])
  const chosen = placeWithin(place, found.length)
  const id = useId()
  const run = (item: PaletteItem | undefined) => {
    if (!item) return
    paletteOpen.set(false)
    doAndTell(item.title, () => item.run())
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setPlace((now) => (placeWithin(now, found.length) + step + found.length) % Math.max(1, found.length))
    }
    if (event.key !== 'Enter') return
    // the focus goes back at once, and the key would press the button that has it then
    event.preventDefault()
    // the list may still be that of an earlier text: who types fast does not wait for it
    run((wanted === text ? found : findItems(items, text))[chosen])
  }
  return (
    <Dialog.Root open onOpenChange={(isOpen) => paletteOpen.set(isOpen)}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.popup}>
          <Dialog.Title className="visually-hidden">Find anything, do anything</Dialog.Title>
          <input
            className={styles.input}
            role="combobox"
            aria-label="Find anything, do anything"
            aria-expanded="true"
            aria-controls={`${id}-list`}
            aria-activedescendant={found[chosen] && `${id}-${chosen}`}
            placeholder="A tool, a server, an act, a rule, or what to do"
            value={text}
            onKeyDown={onKeyDown}
            onChange={({ target }) => {
              paletteText.set(target.value)
              setPlace(0)
            }}
          />
          <div id={`${id}-list`} role="listbox" aria-label="Found" className={styles.list}>
            {found.map((item, index) => (
              // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the chosen one
              // biome-ignore lint/a11y/useKeyWithClickEvents: its keys are handled in the field
              <div
                key={item.key}
                id={`${id}-${index}`}
                role="option"
                aria-selected={index === chosen}
                className={`${styles.item} ${index === chosen ? styles.chosen : ''}`}
                ref={index === chosen ? scrollTo : undefined}
                onClick={() => run(item)}
              >
                <span className={styles.title}>
                  <Said text={item.title} oneLine />
                </span>
                <span className={styles.kind}>
                  <Said text={item.kind} oneLine />
                </span>
              </div>
            ))}
          </div>
          {found.length === 0 && <p className={styles.none}>Nothing is called like this</p>}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function scrollTo(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}
