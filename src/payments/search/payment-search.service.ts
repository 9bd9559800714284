import { Injectable } from '@nestjs/common';
import { UUID } from '../../platform/kernel/ids.pure.js';
import { PaymentSearchRepository } from '../payment-search.repository.js';
import { spellingsOf } from './search-spellings.pure.js';

/** What a search finds, and how it was spelled then. */
export interface Found {
  text: string;
  /** Null: the text is no id. */
  id: string | null;
  /** Of at most so many candidates of each kind as were asked for. */
  ids: string[];
}

/** Searches as the lists and exports of people do (specification/overview.md#filters). */
@Injectable()
export class PaymentSearch {
  constructor(private readonly searches: PaymentSearchRepository) {}

  /** By the first spelling that finds any payment. @param most candidates of each kind */
  async find(userId: string, text: string, most: number): Promise<Found> {
    for (const spelling of spellingsOf(text)) {
      const found = await this.findAs(userId, spelling, most);
      if (found.ids.length > 0) return found;
    }
    return { text, id: null, ids: [] };
  }

  private async findAs(userId: string, text: string, most: number): Promise<Found> {
    const id = UUID.test(text.toLowerCase()) ? text.toLowerCase() : null;
    return { text, id, ids: await this.searches.search({ userId, id, text, most }) };
  }
}
