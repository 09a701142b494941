/**
 * The program and the publisher of each row, by its position in a month that is sorted by time.
 *
 * A list of one program skips all blocks without its rows, so that the month is in memory only once.
 */

import type { Selection } from '../../plan/report-plan.ts';

export interface Owners {
  readonly programId: number;
  readonly publisherId: number;
}

/** The programs and publishers of which rows are selected. */
export type OwnerScopes = Pick<Selection, 'programIds' | 'publisherIds'>;

/** Whether the row at a position is selected. */
export type IsSelectedAt = (position: number) => boolean;

/** Rows that an index has room for at first. */
const FIRST_ROOM = 1024;

export class OwnerIndex {
  readonly #programs = new IdColumn();
  readonly #publishers = new IdColumn();

  /** Adds the next row. */
  add({ programId, publisherId }: Owners): void {
    this.#programs.add(programId);
    this.#publishers.add(publisherId);
  }

  /** Bytes of memory, about. */
  get bytes(): number {
    return this.#programs.bytes + this.#publishers.bytes;
  }

  selection({ programIds, publisherIds }: OwnerScopes): IsSelectedAt {
    if (publisherIds === 'all') return this.#programs.among(programIds);
    const isPublisher = this.#publishers.among(publisherIds);
    if (programIds === 'all') return isPublisher;
    const isProgram = this.#programs.among(programIds);
    return (position) => isProgram(position) && isPublisher(position);
  }
}

/** Identifiers by position: each different one is stored once, and a position has its number. */
class IdColumn {
  readonly #numbers = new Map<number, number>();
  #column = new Uint32Array(FIRST_ROOM);
  #length = 0;

  add(id: number): void {
    let number = this.#numbers.get(id);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(id, number);
    }
    if (this.#length === this.#column.length) this.#grow();
    this.#column[this.#length] = number;
    this.#length += 1;
  }

  get bytes(): number {
    return this.#column.byteLength + this.#numbers.size * ENTRY_BYTES;
  }

  among(ids: OwnerScopes['programIds']): IsSelectedAt {
    if (ids === 'all') return () => true;
    const wanted = new Uint8Array(this.#numbers.size);
    for (const id of ids) {
      const number = this.#numbers.get(id);
      if (number !== undefined) wanted[number] = 1;
    }
    return (position) => wanted[this.#column[position] ?? 0] === 1;
  }

  #grow(): void {
    const longer = new Uint32Array(2 * this.#length);
    longer.set(this.#column);
    this.#column = longer;
  }
}

/** Bytes of memory of an entry of a map, about. */
const ENTRY_BYTES = 40;
