import { Controller } from '@nestjs/common';
import { listController } from '../list.controller.js';
import { offers } from './offers.endpoint.js';

@Controller()
export class OffersController extends listController(offers) {}
