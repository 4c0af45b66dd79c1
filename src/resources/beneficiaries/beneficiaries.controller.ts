import { Controller } from '@nestjs/common';
import { listController } from '../list.controller.js';
import { beneficiaries } from './beneficiaries.endpoint.js';

@Controller()
export class BeneficiariesController extends listController(beneficiaries) {}
