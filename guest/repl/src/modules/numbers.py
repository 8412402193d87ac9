_rlm_module_numbers = _rlm_Module('numbers', {name: _rlm_Form('numbers', name) for name in ('Number', 'Complex', 'Real', 'Rational', 'Integral')})
