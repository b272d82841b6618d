/**
 * Who plays: two managed sessions and the ids that Claude Code mints for them, cut short for reading.
 */
export const harbor = { id: "harbor", first: "3c1f9e52", second: "8d40b7a1", third: "f2096c3e" } as const

export const orchard = { id: "orchard", first: "51be07d4", second: "c77a10e9" } as const
